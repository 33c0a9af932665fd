import { ackTopic, answered_events, batch_errors, commandTopic, deviceFilters } from '@kit/terminal-protocol/vf105'
import type { EventName } from '@kit/terminal-protocol/vf105'

type Command = { action: string; serial?: string } & ({ data: unknown } | { fault: string })
const longest_serial = 32

/** A message below the device's commands; undefined for any other topic. A fault says why it is no command. */
export function readCommand(setting: string, sn: string, topic: string, bytes: Uint8Array): Command | undefined {
  const start = commandTopic(setting, sn, '')
  const action = topic.startsWith(start) ? topic.slice(start.length) : ''
  if (action === '' || action.includes('/')) return undefined
  const json = parse(bytes)
  if (json === undefined) return { action, fault: batch_errors.no_json }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return { action, fault: batch_errors.no_object }
  const { serialNo, uuid, data }: { serialNo?: unknown; uuid?: unknown; data?: unknown } = json
  if (typeof serialNo !== 'string' || serialNo === '' || serialNo.length > longest_serial) return { action, fault: batch_errors.serial }
  if (uuid === undefined || uuid === '') return { action, serial: serialNo, fault: batch_errors.no_uuid }
  return uuid === sn ? { action, serial: serialNo, data } : { action, serial: serialNo, fault: batch_errors.other_uuid }
}

/** An answer to one of the device's events, on its topic or on the misspelt one. */
export function readAck(setting: string, sn: string, topic: string, bytes: Uint8Array): { name: EventName; serial: string; code: string } | undefined {
  const misspelt = deviceFilters(setting, sn).slice(-answered_events.length)
  const name = answered_events.find((one, at) => topic === ackTopic(setting, sn, one) || topic === misspelt[at])
  const json = name === undefined ? undefined : parse(bytes)
  if (name === undefined || typeof json !== 'object' || json === null) return undefined
  const { serialNo, code }: { serialNo?: unknown; code?: unknown } = json
  return { name, serial: String(serialNo), code: String(code) }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}
