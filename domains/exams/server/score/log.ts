import { createHash } from 'node:crypto'
import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** One change of a score. */
export type Change = {
  paper_id: string; user_id: string; version: number; from_text: string; to_text: string; cause: 'entry' | 'amend' | 'import' | 'absent'; reason: string
  by_user_id: string; approver_id: string | null
}
type Line = Change & { exam_id: string; seq: number; at: Date; hash: string }
const start = '0'.repeat(64)

/** The hash of a line over the one before it: a line that is changed later breaks the chain (chapter 55: exam_score_log). */
function hashOf(before: string, { exam_id, seq, at, paper_id, user_id, version, from_text, to_text, cause, reason, by_user_id, approver_id }: Omit<Line, 'hash'>): string {
  return createHash('sha256').update([before, exam_id, seq, at.toISOString(), paper_id, user_id, version, from_text, to_text, cause, reason, by_user_id, approver_id ?? ''].join('|')).digest('hex')
}

/** Writes changes behind the last line of the exam, whose row the caller has locked. */
export async function logChanges(db: Db, { school_id, exam_id, at }: { school_id: number; exam_id: string; at: Date }, changes: readonly Change[]): Promise<void> {
  const last = await db.selectFrom('exam_score_log').select(['seq', 'hash']).where('school_id', '=', school_id).where('exam_id', '=', exam_id).orderBy('seq', 'desc').limit(1).executeTakeFirst()
  let [seq, hash] = [last?.seq ?? 0, last?.hash ?? start]
  const lines = changes.map(change => {
    seq += 1
    const line = { ...change, exam_id, seq, at }
    hash = hashOf(hash, line)
    return { ...line, school_id, hash }
  })
  await insertMany(db, 'exam_score_log', lines)
}

/** True when no line of the exam has been changed or taken out. */
export async function verifyChain(db: Db, school_id: number, exam_id: string): Promise<boolean> {
  const { rows } = await sql<Line>`
    select exam_id::text as exam_id, seq, at, paper_id::text as paper_id, user_id::text as user_id, version, from_text, to_text, cause, reason, by_user_id::text as by_user_id, approver_id::text as approver_id, hash
    from exam_score_log where school_id = ${school_id} and exam_id = ${exam_id} order by seq`.execute(db)
  return rows.every((line, at) => line.seq === at + 1 && line.hash === hashOf(rows[at - 1]?.hash ?? start, line))
}
