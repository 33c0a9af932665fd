import { z } from 'zod'
import { log_tables } from '../log-columns.ts'
import { trustedKeys } from './hand-over.ts'
import type { HandOver } from './hand-over.ts'
import { fingerprintOf } from './seal-key.ts'
import type { Seal } from './seal.ts'
import { flawsOf } from './verify.ts'

const Hex = z.string().regex(/^[0-9a-f]*$/)
const SealLine = z.object({
  school_id: z.number().int(),
  table_name: z.enum(log_tables),
  seal_no: z.number().int(),
  from_id: z.uuid(),
  to_id: z.uuid(),
  rows: z.number().int(),
  late: z.number().int(),
  altered: z.number().int(),
  upto: z.string(),
  sealed_at: z.string(),
  leaves_hash: Hex,
  prev_hash: Hex,
  root_hash: Hex,
  signature: Hex,
})

/** Seals outside of the product: whoever keeps such a file can prove later that nothing before its last seal was changed (chapter 10 B5). */
const HandOverLine = z.object({ public_key: z.string(), next_key: z.string(), handed_at: z.string(), signature: Hex, next_signature: Hex })
const SealFile = z.object({
  format: z.literal('campus-audit-seals-1'),
  school_id: z.number().int(),
  made_at: z.string(),
  public_key: z.string(),
  /** keys of before, which the present one follows */
  hand_overs: z.array(HandOverLine).default([]),
  seals: z.array(SealLine),
})
export type SealFile = z.output<typeof SealFile>

/** The text of a file of seals. */
export function writeSealFile(school_id: number, made_at: Date, public_key: string, seals: readonly Seal[], hand_overs: readonly HandOver[] = []): string {
  const file: SealFile = { format: 'campus-audit-seals-1', school_id, made_at: made_at.toISOString(), public_key, hand_overs: [...hand_overs], seals: seals.map(seal => SealLine.parse(seal)) }
  return `${JSON.stringify(file, null, 1)}\n`
}

/** @throws Error in one line when the text is no file of seals */
export function readSealFile(text: string): SealFile {
  const parsed = SealFile.safeParse(jsonOf(text))
  if (parsed.success) return parsed.data
  throw new Error('this is not a file of seals')
}

export type FileVerdict = { fingerprint: string; seals: number; flaws: string[] }

/** Checks a file by itself: needs neither the database nor the key of the installation. */
export function checkSealFile(file: SealFile): FileVerdict {
  const keys = trustedKeys(file.public_key, file.hand_overs)
  const flaws = log_tables.flatMap(table => {
    const seals = file.seals.filter(seal => seal.table_name === table).toSorted((a, b) => a.seal_no - b.seal_no)
    return seals.flatMap((seal, at) => flawsOf(seal, seals[at - 1], keys).map(flaw => `${table} #${seal.seal_no}: ${flaw}`))
  })
  const foreign = file.seals.some(seal => seal.school_id !== file.school_id) ? ['a seal of another school is in the file'] : []
  return { fingerprint: fingerprintOf(file.public_key), seals: file.seals.length, flaws: [...flaws, ...foreign] }
}

/**
 * Compares a file kept from earlier with seals of today (another file, or the database): every seal of then must still be there as it was.
 * Seals before the first one of today are not looked at.
 */
export function changedSince(earlier: SealFile, today: { public_key: string; seals: readonly Seal[]; hand_overs?: readonly HandOver[] }): string[] {
  const now = new Map(today.seals.map(seal => [`${seal.table_name} #${seal.seal_no}`, seal]))
  const first = new Map(log_tables.map(table => [table, Math.min(...today.seals.filter(seal => seal.table_name === table).map(seal => seal.seal_no))]))
  const key = trustedKeys(today.public_key, today.hand_overs ?? []).includes(earlier.public_key) ? [] : ['the key that signs is another one']
  const seals = earlier.seals.flatMap(seal => {
    const name = `${seal.table_name} #${seal.seal_no}`
    const found = now.get(name)
    if (found) return found.root_hash === seal.root_hash ? [] : [`${name} is not the seal of then`]
    return seal.seal_no >= (first.get(seal.table_name) ?? 0) ? [`${name} is missing`] : []
  })
  return [...key, ...seals]
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
