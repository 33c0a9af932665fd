import { z } from 'zod'
import type { Happening, Inbound, PassFacts, Refusal } from '../driver.ts'
import { types } from './code.ts'
import type { Said } from './envelope.ts'
import { mask, redact } from './redact.ts'
import type { EventName } from './topic.ts'

const Type = z.union([z.string(), z.number()]).transform(String)
const Verify = z.looseObject({ mode: z.string().optional(), primary: z.unknown().optional(), additional: z.array(z.looseObject({ type: Type.optional() })).optional() })
const Access = z.array(z.looseObject({
  userId: z.string().max(128).catch(''), type: Type, timeStamp: z.number().int().min(1).max(4_102_444_800), result: z.number().int(), code: z.string().catch(''), error: z.string().max(200).catch(''),
  extra: z.looseObject({ compareScore: z.number().optional().catch(undefined), verify: Verify.optional().catch(undefined) }).catch({}),
})).length(1)
type Access = z.output<typeof Access>[number]
const Alarm = z.object({ type: z.number().int(), value: z.number().int() })
const Online = z.looseObject({ type: Type, code: z.string(), timeStamp: z.number().int().optional(), message: z.string().max(200).optional() })

const verify_modes: Readonly<Record<string, number>> = { [types.face]: 1, [types.card]: 2, [types.pass_through]: 3, [types.static_qr]: 3, [types.dynamic_qr]: 3, [types.id_card]: 4, [types.password]: 5, [types.finger]: 6 }
const [face_and_card, unknown_mode] = [7, 0]
const refusals: Readonly<Record<string, Refusal>> = { VOUCHER_NOT_FOUND: 'unknown_credential', PERMISSION_DENIED: 'no_right', SCHEDULE_CLOSED: 'closed' }
const alarms: Readonly<Record<number, string>> = { 256: 'door', 257: 'fire', 258: 'tamper' }
const cards: readonly string[] = [types.card, types.id_card]

/** What an event of a device says, without its secrets (chapter 31 §5.4, §5.7.9). */
export function inboundEvent(name: EventName, { serialNo: re, data, time }: Said): Inbound {
  if (name === 'connect' || name === 'heartbeat' || name === 'offline') return { kind: 'link', name, re, facts: { ...object(redact(data)), time } }
  const events = happenings(name, re, data, time)
  return events ? { kind: 'events', name, re, events } : { kind: 'bad', reason: 'body', detail: `${name} ${re}`, settles: { name, re } }
}

function happenings(name: EventName, re: string, data: unknown, time = 0): Happening[] | undefined {
  if (name === 'access') {
    const told = passHappening(re, data)
    return told && [told]
  }
  if (name === 'alarm') {
    const alarm = Alarm.safeParse(data).data
    return alarm && [{ seq: re, at: iso(time), type: 'alarm', facts: { alarm: alarms[alarm.type] ?? String(alarm.type), value: alarm.value } }]
  }
  if (name === 'access_online') {
    const online = Online.safeParse(data).data
    return online && [{ seq: re, at: iso(online.timeStamp ?? time), type: 'online', pass: { verify: verify_modes[online.type] ?? unknown_mode, reason: online.message ?? '', lookup: { type: online.type, code: online.code } } }]
  }
  return [{ seq: re, at: iso(time), type: name, facts: object(redact(data)) }]
}

/** A record of the door under its number; undefined for what is none. */
export function passHappening(seq: string, data: unknown): Happening | undefined {
  const [access] = Access.safeParse(data).data ?? []
  return access && { seq, at: iso(access.timeStamp), type: 'pass', pass: passOf(access) }
}

function passOf({ userId, type, result, code, error, extra }: Access): PassFacts {
  const is_card = cards.includes(type)
  const is_picture = type === types.face && code !== ''
  return {
    ...(userId === '' ? {} : { user_id: userId }),
    verify: isFaceAndCard(extra.verify, type) ? face_and_card : (verify_modes[type] ?? unknown_mode),
    ...(result === 0 ? { state: 1 } : { refusal: refusals[error] ?? ('other' as const) }),
    reason: error.slice(0, 60),
    ...(is_card && code !== '' ? { code_masked: mask(code), lookup: { type, code } } : {}),
    ...(extra.compareScore === undefined ? {} : { score: extra.compareScore }),
    ...(is_picture ? { picture: code } : {}),
  }
}

function isFaceAndCard(verify: z.output<typeof Verify> | undefined, type: string): boolean {
  if (verify?.mode !== 'multi_factor') return false
  const used = [type, ...(verify.additional ?? []).map(one => one.type ?? '')]
  return used.includes(types.face) && used.some(one => cards.includes(one))
}

function object(value: unknown): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).catch({}).parse(value)
}

/** Unix seconds as ISO; a time that is none is the beginning of time, which is judged as such. */
function iso(seconds: number): string {
  return new Date(Number.isFinite(seconds) && Math.abs(seconds) < 4_102_444_800 ? seconds * 1000 : 0).toISOString()
}
