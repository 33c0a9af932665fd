import type { ConfigValue } from './config/keys.ts'
import type { HeldRow } from './digest.ts'
import type { DownRow, RowKind, RowResult } from './jdev/row.ts'

/** What a model can do; what it cannot is refused before anything is sent (chapter 31 §5.7.13). */
export type Capabilities = Readonly<Record<'door_schedule' | 'sleep' | 'power' | 'weekly' | 'qr' | 'online_verify' | 'evacuate' | 'hold_open' | 'lock' | 'max_times', boolean>> & { readback: 'digest' | 'pages' }

/** What a device takes. `password_length`: digits its passwords must have, where it is so particular; `photo_bytes` counts the decoded picture. */
export type Limits = { rows_per_command: number; packet_bytes: number; photo_bytes: number; password_length?: number; /** it keeps pictures and sends them back when it is read */ keeps_pictures?: boolean }

/** One row on its way; `photo` is the picture of a face in Base64 for hardware that takes it inside the message, `is_alone` has it travel without others. */
export type SyncRow = DownRow & { photo?: string; is_alone?: boolean }

/** Something to be asked of a device: one command. */
export type Request = { action: string; data?: unknown; rows: readonly SyncRow[]; is_read: boolean }
/** What only the transport knows: the id (UUID) of the message, its place in the session, the time (ISO) and the address. */
export type Stamp = { id: string; seq: number; epoch: string; at: string; prefix: string; client_id: string }
export type Command = Request & { stamp: Stamp }
export type Outgoing = { topic: string; bytes: Uint8Array; /** by this the answer names it */ serial: string }

/** Rows cut into commands in the order in which they go, and rows that the device could never take. */
export type Plan = { requests: Request[]; blocked: Receipt[] }

/** What a field of a configuration came to. */
export type FieldReceipt = { field: string; is_applied: boolean; text?: string }
/** What became of a row. `conflict`: ask `ask` first; `retry` with `is_alone`: send it again by itself. */
export type Receipt = Omit<RowResult, 'status'> & { status: RowResult['status'] | 'unknown' | 'conflict' | 'blocked'; ask?: Request; is_alone?: true; fields?: FieldReceipt[] }

/** A firmware package: where it is fetched (once), by what it is known, what it is. `kind`: jbn system, jap application, dpk, ad_zip pictures. */
export type Package = { url: string; md5: string; sha256: string; /** of its maker, where there is one */ signature?: string; size: number; version: string; kind: string; /** after this nobody fetches it any more (ISO) */ until: string }

/** A device's answer to a command, by the serial of that command. */
export type Reply = { re: string; action: string; code: string; message: string; data: unknown }

/** Why a door stayed closed. */
export type Refusal = 'unknown_credential' | 'no_right' | 'closed' | 'other'
/**
 * Somebody was at the door, without anything secret. `state` is PASS_STATE where the device says it; else `refusal` and what the school knows decide.
 * `lookup` finds a lost card and is forgotten afterwards; `picture` (Base64) goes to a file.
 */
export type PassFacts = { user_id?: string; /** the device's own key of what was shown */ credential_id?: string; verify: number; state?: number; refusal?: Refusal; reason: string; code_masked?: string; lookup?: { type: string; code: string }; score?: number; picture?: string }
/** What happened; `seq` is the record's own name and tells a repetition. */
export type Happening = { seq: string; at: string; type: string; pass?: PassFacts; facts?: Record<string, unknown> }
export type Inbound =
  | { kind: 'reply'; reply: Reply }
  | { kind: 'events'; name: string; re: string; epoch?: string; upto?: number; events: Happening[] }
  | { kind: 'link'; name: string; re: string; facts: Record<string, unknown> }
  | { kind: 'bad'; reason: string; detail: string; /** a record that is kept among the dead letters is acknowledged all the same */ settles?: { name: string; re: string } }

/** Where a read-back has got to; `buckets`: those in which a digest differs. */
export type Cursor = { step: number; page: number; buckets?: readonly number[] }
/** One answer of a read-back: rows with their hashes, keys that somebody entered at the device itself, and what to ask next. */
export type Page = { held: HeldRow[]; local: string[]; next?: Cursor }
export type Drift = { key: string; is: 'missing' | 'differs' | 'foreign' }

/**
 * How one family of hardware is spoken to (chapter 31 §4). Pure functions: transport, persistence, repetition and the clock live outside, and no driver
 * ever sees a person's record.
 */
export interface Driver {
  name: string
  capabilities(model: string): Capabilities
  limits(model: string): Limits
  topics(client_id: string, prefix: string): { subscribe: string[]; owns(topic: string): boolean }
  plan(rows: readonly SyncRow[], limits: Limits): Plan
  encode(command: Command): Outgoing
  /** What a device said. Never throws, whatever the bytes. */
  decode(topic: string, bytes: Uint8Array, session: Pick<Stamp, 'client_id' | 'prefix'>): Inbound
  settle(command: Request, reply: Reply): Receipt[]
  /** The answer an event waits for; `is_allowed` opens the door to who was checked online. */
  acknowledge(inbound: Inbound, stamp: Stamp, is_allowed?: boolean): Outgoing | undefined
  /** How long the answer may take, in milliseconds. */
  timeout_ms(command: Request): number
  readback(kind: RowKind, cursor: Cursor, limits: Limits): Request
  /** What a page of a read-back holds, where `wanted` is what the device is to hold of this kind; undefined for an answer that is none: it says nothing of what the device holds. */
  page(kind: RowKind, cursor: Cursor, reply: Reply, limits: Limits, wanted: readonly HeldRow[]): Page | undefined
  /** What a whole read-back differs in from what is wanted. */
  compare(held: readonly Page[], wanted: readonly HeldRow[]): Drift[]
  /** What to read before anything is sent again when the answer did not come. */
  recheck(command: Request): Request[]
}

/** Hardware whose settings and firmware are looked after from here, beyond the seam that every family has. */
export interface ManagedDriver extends Driver {
  /** Tells the device to fetch a package and to go on with it. */
  upgrade(from: Package): Request
  /** Asks for every setting the device has. */
  readConfig(): Request
  /** The settings in an answer, by `group.field`, without those that are secret; undefined for an answer that has none. */
  configOf(reply: Reply): Record<string, ConfigValue> | undefined
}

/** What the school knows of a pass that was refused. */
export type Known = { is_lost: boolean; has_grant: boolean }
const states = { passed: 1, no_right: 2, not_now: 3, stranger: 5, lost: 9 } as const
const by_face = 1

/** PASS_STATE of a pass (chapter 31 §5.7.9). */
export function passState({ state, refusal, verify }: PassFacts, { is_lost, has_grant }: Known): number {
  if (state !== undefined) return state
  if (refusal === undefined) return states.passed
  if (refusal === 'closed') return states.not_now
  if (refusal === 'no_right') return has_grant ? states.not_now : states.no_right
  if (refusal === 'other') return states.no_right
  if (is_lost) return states.lost
  return verify === by_face ? states.stranger : states.no_right
}

/** What a device holds against what it is to hold. */
export function compareHeld(pages: readonly Page[], wanted: readonly HeldRow[]): Drift[] {
  const held = new Map(pages.flatMap(page => page.held).map(row => [row.key, row.hash]))
  const names = new Set(wanted.map(row => row.key))
  const mine = wanted.flatMap(({ key, hash }): Drift[] => {
    if (!held.has(key)) return [{ key, is: 'missing' }]
    return held.get(key) === hash ? [] : [{ key, is: 'differs' }]
  })
  const foreign = [...held.keys(), ...pages.flatMap(page => page.local)].filter(key => !names.has(key))
  return [...mine, ...[...new Set(foreign)].map((key): Drift => ({ key, is: 'foreign' }))]
}
