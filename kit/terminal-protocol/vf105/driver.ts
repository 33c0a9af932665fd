import { flatConfig } from '../config/flat.ts'
import { compareHeld } from '../driver.ts'
import type { Capabilities, Inbound, ManagedDriver, Outgoing, Stamp } from '../driver.ts'
import { codes } from './code.ts'
import { config_fields } from './config-fields.ts'
import { encodeSaid, readSaid, serialOf } from './envelope.ts'
import { inboundEvent } from './event.ts'
import { patience } from './patience.ts'
import { planRows } from './plan.ts'
import { readbackPage, readbackRequest, recheckRequests } from './readback.ts'
import { settleRows } from './receipt.ts'
import { hidden, redact } from './redact.ts'
import { ackTopic, answered_events, commandTopic, ownPrefix, readTopic } from './topic.ts'

const can: Capabilities = { door_schedule: false, sleep: false, power: false, weekly: true, qr: true, online_verify: true, evacuate: true, hold_open: false, lock: false, max_times: false, readback: 'pages' }
const no_identity = 'identity'
const upgrade_s = 300

/** VF105 MQTT V2 (chapter 31 §5). */
export const vf105Driver: ManagedDriver = {
  name: 'vf105',
  capabilities: () => can,
  limits: () => ({ rows_per_command: 100, packet_bytes: 900 * 1024, photo_bytes: 524_288, password_length: 6, keeps_pictures: false }),
  topics: (client_id, prefix) => ({ subscribe: [`${ownPrefix(prefix, client_id)}/access_device/v2/#`], owns: topic => readTopic(ownPrefix(prefix, client_id), topic) !== undefined }),
  plan: planRows,
  encode({ action, data, stamp }) {
    const serial = serialOf(stamp.id)
    return { topic: commandTopic(ownPrefix(stamp.prefix, stamp.client_id), stamp.client_id, action), bytes: encodeSaid({ serialNo: serial, uuid: stamp.client_id, time: seconds(stamp.at) }, data), serial }
  },
  decode(topic, bytes, { client_id, prefix }) {
    const where = readTopic(ownPrefix(prefix, client_id), topic)
    if (!where) return { kind: 'bad', reason: 'topic', detail: '' }
    const read = readSaid(bytes)
    if ('bad' in read) return { kind: 'bad', reason: read.bad, detail: 'reply' in where ? where.reply : where.event }
    const { said } = read
    if (said.uuid !== client_id) return { kind: 'bad', reason: no_identity, detail: said.uuid.slice(0, 64) }
    if ('event' in where) return inboundEvent(where.event, said)
    return { kind: 'reply', reply: { re: said.serialNo, action: where.reply, code: said.code ?? '', message: said.message ?? '', data: said.data } }
  },
  settle: (command, reply) => (command.is_read || reply.action !== command.action ? [] : settleRows(command, reply)),
  acknowledge: answer,
  timeout_ms: ({ action, data }) => patience(action, data),
  readback: readbackRequest,
  page: readbackPage,
  compare: compareHeld,
  recheck: recheckRequests,
  upgrade: ({ url, md5, kind }) => ({ action: 'upgradeFirmware', data: { type: kind === 'ad_zip' ? 10 : 0, url, md5, timeoutSec: upgrade_s, ...(kind === 'ad_zip' ? { extra: { kind: 'advertisement' } } : {}) }, rows: [], is_read: false }),
  readConfig: () => ({ action: 'getConfig', data: Object.keys(config_fields), rows: [], is_read: true }),
  configOf({ code, data }) {
    if (code !== codes.ok) return undefined
    return Object.fromEntries(Object.entries(flatConfig(redact(data))).filter(([, value]) => value !== hidden))
  },
}

/** The answer an event waits for: a stored record is taken, a door checked online opens only to who is allowed, nobody is called (chapter 31 §5.4). */
function answer(inbound: Inbound, { at, prefix, client_id }: Stamp, is_allowed = false): Outgoing | undefined {
  const event = inbound.kind === 'bad' ? inbound.settles : inbound.kind === 'events' ? inbound : undefined
  const name = answered_events.find(one => one === event?.name)
  if (!event || name === undefined || name === 'wecom') return undefined
  const is_refused = name === 'call' || (name === 'access_online' && (inbound.kind === 'bad' || !is_allowed))
  const bytes = encodeSaid({ serialNo: event.re, uuid: client_id, code: is_refused ? codes.other : codes.ok, time: seconds(at), message: '' }, name === 'getCallList' ? { list: [] } : {})
  return { topic: ackTopic(ownPrefix(prefix, client_id), client_id, name), bytes, serial: event.re }
}

function seconds(iso: string): number {
  return Math.floor(Date.parse(iso) / 1000)
}
