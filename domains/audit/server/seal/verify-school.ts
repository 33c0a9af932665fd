import type { Database } from '@kit/server/db'
import type { Secrets } from '@kit/server/secrets'
import { log_tables } from '../log-columns.ts'
import type { LogTable } from '../log-columns.ts'
import { checkJournal, keepFindings, sayFinding } from './check-journal.ts'
import { changedSince, checkSealFile, readSealFile, writeSealFile } from './seal-file.ts'
import { handOvers } from './hand-over.ts'
import { allSeals } from './seal.queries.ts'
import { sealKeyOf } from './seal-key.ts'

export type JournalReport = { table: LogTable; rows: number; seals: number; upto: string | null; /** clocks that were put back; no forgery */ jumps: string[]; findings: string[] }
/** `keep_days`: how long the journals are kept (CAMPUS_JOURNAL_KEEP_DAYS); what is older is no longer looked for. */
type Desk = { database: Database; secrets: Pick<Secrets, 'seal_key'>; now: Date; keep_days: number }

/**
 * Checks both journals of a school against their seals, row by row, and keeps what it found for the console. `earlier`: the text of a file of seals
 * that somebody kept; every seal in it must still be there. @throws Error when that is no file of seals of this school
 */
export async function verifySchool({ database, secrets, now, keep_days }: Desk, school_id: number, earlier?: string): Promise<JournalReport[]> {
  const { public_key } = sealKeyOf(secrets)
  const reports: JournalReport[] = []
  for (const table of log_tables) {
    const { rows, seals, upto, jumps, findings } = await checkJournal({ database, now, keep_days, public_key }, school_id, table)
    await keepFindings({ database, now }, school_id, table, findings)
    reports.push({ table, rows, seals, upto, jumps: jumps.map(({ seal_no, from, to }) => `clock put back from ${from} to ${to} before seal #${seal_no}`), findings: findings.map(sayFinding) })
  }
  if (earlier === undefined) return reports
  const kept = readSealFile(earlier)
  if (kept.school_id !== school_id) throw new Error(`the file holds seals of school ${kept.school_id}`)
  const { today, hand_overs } = await database.tenant(school_id, async db => ({ today: await allSeals(db, school_id), hand_overs: await handOvers(db) }), { read_only: true })
  const lost = [...checkSealFile(kept).flaws.map(flaw => `in the file: ${flaw}`), ...changedSince(kept, { public_key, seals: today, hand_overs })]
  return reports.map((report, at) => (at === 0 ? { ...report, findings: [...report.findings, ...lost] } : report))
}

/** All seals of a school as the text of a file. */
export async function sealFileOf({ database, secrets, now }: Omit<Desk, 'keep_days'>, school_id: number): Promise<string> {
  const { seals, hand_overs } = await database.tenant(school_id, async db => ({ seals: await allSeals(db, school_id), hand_overs: await handOvers(db) }), { read_only: true })
  return writeSealFile(school_id, now, sealKeyOf(secrets).public_key, seals, hand_overs)
}

/** What a file of seals proves by itself, without database and keys; `earlier` is an older file of the same school. */
export function verifySealFile(text: string, earlier?: string): { school_id: number; seals: number; fingerprint: string; flaws: string[] } {
  const file = readSealFile(text)
  const { seals, fingerprint, flaws } = checkSealFile(file)
  const changed = earlier === undefined ? [] : changedSince(readSealFile(earlier), file)
  return { school_id: file.school_id, seals, fingerprint, flaws: [...flaws, ...changed] }
}
