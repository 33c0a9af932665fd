import { asTables, insertMany } from '@kit/server/db'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { AccessDb, Step } from '../db.ts'
import { readSites } from '../decide/read-facts.ts'
import { derive } from '../grant/derive.ts'

const [by_exam, allow, both_ways, other_reason] = [5, 1, 3, '9'] as const
type Handle = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }
/** People of one kind whom an exam lets into the door of a place until an absolute end; `source_id` begins with `ref/`. */
export type ExamRight = {
  source_id: string; person_kind: 1 | 2; place_id: string; user_ids: readonly string[]; valid_from: Date; valid_to: Date; reason: string
}

const stepOf = ({ app, db, school_id, now }: Handle): Step => ({ app, db: asTables<AccessDb>(db), school_id, now })

/**
 * Opens the doors of exam rooms to those who sit or watch there, and takes back what an earlier plan gave (chapter 55 rule 31); a place without a door gets nothing.
 * @param ref what the rights belong to: the exam @returns doors that are concerned
 */
export async function putExamRights(handle: Handle, ref: string, rights: readonly ExamRight[]): Promise<{ doors: number }> {
  const step = stepOf(handle)
  const { db, school_id, now } = step
  const sites = new Map((await readSites(db, school_id)).map(site => [site.place_id, site]))
  const wanted = rights.filter(one => one.user_ids.length > 0 && one.valid_to > now && sites.has(one.place_id))
  const kept = new Set(wanted.map(one => one.source_id))
  const old = await readOld(step, ref)
  const gone = old.filter(row => !kept.has(row.source_id) && !row.is_revoked).map(row => row.temporary_rule_id)
  if (gone.length > 0) await db.updateTable('temporary_rule').set({ revoked_at: now }).where('school_id', '=', school_id)
    .where('temporary_rule_id', 'in', gone).execute()
  for (const { user_ids, place_id, ...one } of wanted) {
    const row = { ...one, school_id, effect: allow, direction: both_ways, source: by_exam, reason_code: other_reason,
      place_ids: [place_id], created_at: now }
    const { temporary_rule_id } = await db.insertInto('temporary_rule').values(row)
      .onConflict(clash => clash.constraint('temporary_rule_source').doUpdateSet({
        valid_from: one.valid_from, valid_to: one.valid_to, place_ids: [place_id], revoked_at: null,
          row_version: sql<number>`temporary_rule.row_version + 1`,
      })).returning('temporary_rule_id').executeTakeFirstOrThrow()
    await db.deleteFrom('temporary_rule_subject').where('school_id', '=', school_id).where('temporary_rule_id', '=', temporary_rule_id)
      .execute()
    await insertMany(db, 'temporary_rule_subject', user_ids.map(user_id => ({ school_id, temporary_rule_id, user_id })))
  }
  const touched = [...new Set([...old.flatMap(row => row.user_ids), ...wanted.flatMap(one => one.user_ids)])]
  if (touched.length > 0) await derive(step, touched, () => [{ kind: 'exam', id: ref }])
  return { doors: new Set(wanted.flatMap(one => (sites.get(one.place_id)?.devices ?? []).map(device => device.device_id))).size }
}

type Old = { temporary_rule_id: string; source_id: string; is_revoked: boolean; user_ids: string[] }

async function readOld({ db, school_id }: Step, ref: string): Promise<Old[]> {
  const { rows } = await sql<Old>`
    select t.temporary_rule_id::text as temporary_rule_id, t.source_id, t.revoked_at is not null as is_revoked,
      array(select s.user_id::text from temporary_rule_subject s where s.school_id = ${school_id}
        and s.temporary_rule_id = t.temporary_rule_id and s.user_id > 0) as user_ids
    from temporary_rule t where t.school_id = ${school_id} and t.source = ${by_exam} and t.source_id >= ${`${ref}/`}
      and t.source_id < ${`${ref}0`}`.execute(db)
  return rows
}
