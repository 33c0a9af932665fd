import { codes, configFault, reconnects, restarts } from '@kit/terminal-protocol/vf105'
import { z } from 'zod'
import { asObject, done } from './answer.ts'
import type { Answer } from './answer.ts'
import type { Quirks } from './quirks.ts'
import type { Vf105Store } from './store.ts'

/** What the device does of itself once it has answered. */
export type After = 'nothing' | 'reconnect' | 'restart'

/** getConfig: everything, a group, several groups or single fields, read-only ones and clear passwords among them. */
export function getConfig({ config }: Vf105Store, data: unknown): Answer {
  const names = Array.isArray(data) ? data.map(String) : typeof data === 'string' && data !== '' ? [data] : Object.keys(config)
  const found: Record<string, Record<string, unknown>> = {}
  for (const name of names) {
    const [group = '', field] = name.split('.')
    const held = config[group]
    if (held) found[group] = { ...found[group], ...(field === undefined ? held : { [field]: held[field] }) }
  }
  return done(found)
}

/** setConfig: good fields are kept at once, bad ones are not; either way the answer is the groups as they are now. */
export function setConfig(store: Vf105Store, data: unknown, { refuses }: Quirks): { answer: Answer; after: After } {
  const sent = z.record(z.string(), z.record(z.string(), z.unknown())).catch({}).parse(data)
  const fields = Object.entries(sent).flatMap(([group, values]) => Object.entries(values).map(([field, value]) => ({ group, field, value, key: `${group}.${field}` })))
  const faultOf = (key: string, value: unknown) => configFault(key, value) ?? (key === refuses ? `${key}取值不受支持` : undefined)
  const faults = fields.flatMap(({ key, value }) => faultOf(key, value) ?? [])
  let after: After = 'nothing'
  for (const { group, field, value, key } of fields.filter(one => faultOf(one.key, one.value) === undefined)) {
    const held = asGroup(store, group)
    if (restarts(key, held[field], value)) after = 'restart'
    else if (after === 'nothing' && reconnects(key)) after = 'reconnect'
    held[field] = value
  }
  const latest = Object.fromEntries(Object.keys(sent).map(group => [group, { ...asObject(store.config[group]) }]))
  return { answer: faults.length === 0 ? done(latest) : { code: codes.failed, message: `部分配置处理失败: ${faults.join('; ')}`, data: latest }, after }
}

function asGroup({ config }: Vf105Store, group: string): Record<string, unknown> {
  const held = config[group] ?? {}
  config[group] = held
  return held
}
