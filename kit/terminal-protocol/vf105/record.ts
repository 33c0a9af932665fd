import { z } from 'zod'
import type { Happening, Reply, Request } from '../driver.ts'
import { codes } from './code.ts'
import { passHappening } from './event.ts'

/** A record as it lies in the device: `code` is a path of its own there, and the reason is called `message`. */
const Lying = z.looseObject({ recordId: z.union([z.string(), z.number()]).transform(String), message: z.string().catch(''), keyId: z.string().catch('') })
const Records = z.object({ total: z.number().int().min(0), content: z.array(z.unknown()) })
const waiting = 0
/** So few are between a store that is full and one that has overwritten something. */
const safety = 10

/** Asks for records that nobody has taken, the newest first; `until`: none that is younger, in Unix seconds. */
export function waitingRecords({ page, size, until }: { page: number; size: number; until?: number }): Request {
  return { action: 'getRecords', data: { page, size, uploadState: waiting, ...(until === undefined ? {} : { endTime: until }) }, rows: [], is_read: true }
}

/** Takes records out of the device, by their numbers alone: they are stored here. */
export function forgetRecords(ids: readonly string[]): Request {
  return { action: 'delRecords', data: { recordId: [...ids] }, rows: [], is_read: false }
}

/** How many records wait, and those of a page in the order in which they were made; what cannot be understood is left for the device to tell by itself. Undefined for an answer that is none. */
export function recordsPage({ code, data }: Reply): { total: number; events: Happening[] } | undefined {
  const page = code === codes.ok ? Records.safeParse(data).data : undefined
  return page && { total: page.total, events: page.content.flatMap(lyingRecord).toReversed() }
}

function lyingRecord(one: unknown): Happening[] {
  const record = Lying.safeParse(one).data
  if (!record) return []
  const { recordId, message, keyId } = record
  const told = passHappening(recordId, [{ ...record, code: '', error: message }])
  return told?.pass ? [{ ...told, pass: { ...told.pass, ...(keyId === '' ? {} : { credential_id: keyId }) } }] : []
}

/** Whether records may have been overwritten while the device was away (chapter 31 §5.7.10). */
export function mayHaveLost(waiting_records: number, most: number): boolean {
  return waiting_records >= most - safety
}
