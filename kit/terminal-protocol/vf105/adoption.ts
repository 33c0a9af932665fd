import type { FieldReceipt, Reply, Request } from '../driver.ts'
import { codes } from './code.ts'
import { fieldsOf } from './receipt.ts'
import { ownPrefix } from './topic.ts'

/** The steps by which a device becomes the school's own, in their order, each named by the group of settings that it sets (chapter 31 §5.7.1). */
export const adoption_steps = ['mqtt', 'sys', 'ntp', 'base', 'access'] as const
export type AdoptionStep = (typeof adoption_steps)[number]

/** What the school has of its own for a device that comes under its wing; without `secret` the device keeps the one it has. */
export type Adoption = { addr: string; prefix: string; sn: string; secret?: string | undefined; console_password: string; password_length: number; keeps_strangers: boolean; uploads_pictures: boolean }

/** A password of its own console as it comes from its maker: a device that has it is nobody's. */
export const factory_console_password = '123456'
/** Of this a device's return under its new identity is the proof, whatever it says of it. */
const proven_by_return = 'mqtt.password'

/**
 * The commands of the steps; each is read back from its reply before the next (chapter 31 §5.7.1). After `mqtt` the device comes again under its new identity;
 * after `ntp` it restarts by itself, where it had another time zone.
 */
export function adoptionSteps({ addr, prefix, sn, secret, console_password, password_length, keeps_strangers, uploads_pictures }: Adoption): Record<AdoptionStep, Request> {
  const set = (data: Record<string, Record<string, unknown>>): Request => ({ action: 'setConfig', data, rows: [], is_read: false })
  return {
    mqtt: set({ mqtt: { addr, username: sn, ...(secret === undefined ? {} : { password: secret }), prefix: ownPrefix(prefix, sn), clientIdSuffix: 0, cleanSession: 1, qos: 1, timeout: 10 } }),
    sys: set({ sys: { heart_en: 1, heart_time: 30, passwordLength: password_length, faceImageRetention: 0, strangerImage: keeps_strangers ? 1 : 0 } }),
    ntp: set({ ntp: { timeZone: 'Asia/Shanghai' } }),
    base: set({ base: { password: console_password } }),
    access: set({ access: { offlineAccessNum: 2000, uploadToCloud: uploads_pictures ? 1 : 0 } }),
  }
}

/** Asks for what a step sets. */
export function readStep(step: AdoptionStep): Request {
  return { action: 'getConfig', data: [step], rows: [], is_read: true }
}

/** The settings of a group in an answer; undefined when it has none. */
export function groupOf(step: AdoptionStep, { data }: Reply): Record<string, unknown> | undefined {
  const found = typeof data === 'object' && data !== null ? Object.entries(data).find(([group]) => group === step)?.[1] : undefined
  return typeof found === 'object' && found !== null ? { ...found } : undefined
}

/** Settings of a step that a device has otherwise than they are wanted, with its own word where it has one; undefined: its answer says nothing of them, and nobody knows. */
export function otherFields(step: AdoptionStep, { data }: Request, reply: Reply): FieldReceipt[] | undefined {
  const wanted = groupOf(step, { ...reply, data })
  if (!wanted || !groupOf(step, reply) || reply.code === codes.timed_out || reply.code === codes.offline) return undefined
  return fieldsOf(step, wanted, reply).filter(({ field, is_applied, text }) => !is_applied && (field !== proven_by_return || text !== undefined))
}
