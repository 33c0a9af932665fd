import { asTables, insertMany } from '@kit/server/db'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { AccessDb, Step } from '../db.ts'
import { readSites } from '../decide/read-facts.ts'
import { derive } from '../grant/derive.ts'

const [by_exam, allow, deny, both_ways, other_reason, any_kind] = [5, 1, 2, 3, '9', 1] as const
type Handle = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }
/** People of one kind whom an exam lets into the door of a place until an absolute end; `source_id` begins with `ref/`. */
export type ExamRight = {
  source_id: string; person_kind: 1 | 2; place_id: string; user_ids: readonly string[]; valid_from: Date; valid_to: Date; reason: string
}

/** The door of a place is closed to everybody who has no right of the exam; `source_id` begins with `ref/`. */
export type ExamDenial = Pick<ExamRight, 'source_id' | 'place_id' | 'valid_from' | 'valid_to' | 'reason'>
type Wanted = { rights: readonly ExamRight[]; denials: readonly ExamDenial[] }
type Rule = Omit<ExamRight, 'user_ids'> & { effect: number }

const stepOf = ({ app, db, school_id, now }: Handle): Step => ({ app, db: asTables<AccessDb>(db), school_id, now })

/**
 * Opens the doors of exam rooms to those who sit or watch there, closes them to everybody else, and takes back what an earlier plan gave
 * or denied
 * (chapter 55 rule 31); a place without a door gets nothing. A denial is one of all departments: rights and denials of a person are
 * above it.
 * @param ref what the rights belong to: the exam @returns doors that are concerned
 */
export async function putExamRights(handle: Handle, ref: string, { rights, denials }: Wanted): Promise<{ doors: number }> {
  const step = stepOf(handle)
  const { db, school_id, now } = step
  const sites = new Map((await readSites(db, school_id)).map(site => [site.place_id, site]))
  const is_open = (one: ExamDenial) => one.valid_to > now && sites.has(one.place_id)
  const allowed = rights.filter(one => one.user_ids.length > 0 && is_open(one))
  const closed = denials.filter(is_open)
  const kept = new Set([...allowed, ...closed].map(one => one.source_id))
  const old = await readOld(step, ref)
  const gone = old.filter(row => !kept.has(row.source_id) && !row.is_revoked)
  if (gone.length > 0) await db.updateTable('temporary_rule').set({ revoked_at: now }).where('school_id', '=', school_id)
    .where('temporary_rule_id', 'in', gone.map(row => row.temporary_rule_id)).execute()
  for (const { user_ids, ...one } of allowed) {
    const temporary_rule_id = await putRule(step, { ...one, effect: allow })
    await insertMany(db, 'temporary_rule_subject', user_ids.map(user_id => ({ school_id, temporary_rule_id, user_id })))
  }
  const roots = closed.length > 0 ? await readRoots(step) : []
  for (const one of closed) {
    const temporary_rule_id = await putRule(step, { ...one, person_kind: any_kind, effect: deny })
    await insertMany(db, 'temporary_rule_subject', roots.map(dept_id => ({ school_id, temporary_rule_id, dept_id })))
  }
  const turned = [...closed.filter(one => !old.some(row => isSame(row, one))), ...gone.filter(row => row.effect === deny)]
  const holders = await readHolders(step, turned.map(one => one.place_id))
  const touched = [...new Set([...old.flatMap(row => row.user_ids), ...allowed.flatMap(one => one.user_ids), ...holders])]
  if (touched.length > 0) await derive(step, touched, () => [{ kind: 'exam', id: ref }])
  return { doors: new Set([...allowed,
    ...closed].flatMap(one => (sites.get(one.place_id)?.devices ?? []).map(one_of => one_of.device_id))).size }
}

/** Saves a rule under its source, without its people. */
async function putRule({ db, school_id, now }: Step, { place_id, ...one }: Rule): Promise<string> {
  const row = { ...one, school_id, direction: both_ways, source: by_exam, reason_code: other_reason, place_ids: [place_id],
    created_at: now }
  const { temporary_rule_id } = await db.insertInto('temporary_rule').values(row)
    .onConflict(clash => clash.constraint('temporary_rule_source').doUpdateSet({
      valid_from: one.valid_from, valid_to: one.valid_to, place_ids: [place_id], revoked_at: null,
      row_version: sql<number>`temporary_rule.row_version + 1`,
    })).returning('temporary_rule_id').executeTakeFirstOrThrow()
  await db.deleteFrom('temporary_rule_subject').where('school_id', '=', school_id).where('temporary_rule_id', '=', temporary_rule_id)
    .execute()
  return temporary_rule_id
}

type Old = ExamDenial & { temporary_rule_id: string; effect: number; is_revoked: boolean; user_ids: string[] }

const isSame = (row: Old, one: ExamDenial) => row.source_id === one.source_id && !row.is_revoked && row.place_id === one.place_id
  && row.valid_from.getTime() === one.valid_from.getTime() && row.valid_to.getTime() === one.valid_to.getTime()

async function readOld({ db, school_id }: Step, ref: string): Promise<Old[]> {
  const { rows } = await sql<Old>`
    select t.temporary_rule_id::text as temporary_rule_id, t.source_id, t.revoked_at is not null as is_revoked, t.effect::int as effect,
      t.valid_from, t.valid_to, t.reason, coalesce(t.place_ids[1], 0)::text as place_id,
      array(select s.user_id::text from temporary_rule_subject s where s.school_id = ${school_id}
        and s.temporary_rule_id = t.temporary_rule_id and s.user_id > 0) as user_ids
    from temporary_rule t where t.school_id = ${school_id} and t.source = ${by_exam} and t.source_id >= ${`${ref}/`}
      and t.source_id < ${`${ref}0`}`.execute(db)
  return rows
}

/** The departments above all others: everybody belongs to one of them. */
async function readRoots({ db, school_id }: Step): Promise<string[]> {
  const rows = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).where('parent_id', 'is', null).execute()
  return rows.map(row => row.id)
}

/** Whom a door of these places opens for today: a denial changes what their terminals hold. */
async function readHolders({ db, school_id }: Step, place_ids: readonly string[]): Promise<string[]> {
  if (place_ids.length === 0) return []
  const rows = await db.selectFrom('access_grant').select('user_id').distinct().where('school_id', '=', school_id)
    .where('place_id', 'in', place_ids).execute()
  return rows.map(row => row.user_id)
}
