import { randomInt } from 'node:crypto'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { Insertable, Updateable } from 'kysely'
import { oneOf } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { Db, PeopleDb } from '../db.ts'
import { indexIdNo } from '../id-number.ts'
import type { IdKeys } from '../id-number.ts'
import { parseKeyword } from '../keyword.ts'
import type { DeptScope } from '../scope.ts'

/** What a family has sent in, as it is stored. */
export type Application = Insertable<PeopleDb['freshmen_apply']> & { school_id: number; season_id: string; apply_no: string; guardian_mobile: string; id_no_idx: Buffer }

/**
 * Keeps an application. One that was not sent in yet, or was sent back, is filled in anew by whoever has its mobile; any other one with the
 * same identity number stands in the way. @returns its number and id; null for a second application
 */
export async function keepApplication(db: Db, row: Application): Promise<{ id: string; apply_no: string } | null> {
  const { school_id, season_id, apply_no: _no, id_no_idx, guardian_mobile, applied_at: _at, ...filled } = row
  const again = await db
    .updateTable('freshmen_apply')
    .set({ ...filled, state: '1', review_level: 0, reason: null, row_version: sql`row_version + 1` })
    .where('school_id', '=', school_id)
    .where('season_id', '=', season_id)
    .where('id_no_idx', '=', id_no_idx)
    .where('guardian_mobile', '=', guardian_mobile)
    .where('state', 'in', ['0', '3'])
    .returning(['id', 'apply_no'])
    .executeTakeFirst()
  if (again) return again
  const kept = await db.insertInto('freshmen_apply').values(row).onConflict(on => on.doNothing()).returning(['id', 'apply_no']).executeTakeFirst()
  return kept ?? null
}

const number_signs = 6

/** A number that nobody can guess from another one's: the day and six digits. */
export function numberOf(now: Date): string {
  return `F${schoolDay(now).replaceAll('-', '')}${String(randomInt(10 ** number_signs)).padStart(number_signs, '0')}`
}

/** So many numbers of this day that no application has yet. */
export async function drawNumbers(db: Db, school_id: number, now: Date, count: number): Promise<string[]> {
  const day = numberOf(now).slice(0, -number_signs)
  const [first, last] = ['0', '9'].map(digit => day + digit.repeat(number_signs))
  const rows = await db.selectFrom('freshmen_apply').select('apply_no').where('school_id', '=', school_id).where('apply_no', '>=', first ?? '').where('apply_no', '<=', last ?? '').execute()
  const [taken, drawn] = [new Set(rows.map(row => row.apply_no)), new Set<string>()]
  while (drawn.size < count) {
    const number = numberOf(now)
    if (!taken.has(number)) drawn.add(number)
  }
  return [...drawn]
}

const columns = [
  'id', 'season_id', 'apply_no', 'user_name', 'sex', 'id_type', 'id_no_enc', 'id_no_idx', 'id_no_mask', 'birthday', 'guardian', 'guardian_mobile', 'relation', 'values', 'state', 'review_level', 'score', 'twin_group',
  'apart_group', 'target_dept_id', 'user_id', 'reason', 'applied_at', 'row_version',
] as const

/** Which applications a list shows; an identity number is looked for by its index. */
export type ApplyFilter = { season_id: string; state?: string | undefined; dept_id?: string | undefined; keyword?: string | undefined; id_no_idx?: Buffer }

/** The same as a reader asks for it. */
export function applyFilter(keys: IdKeys, asked: Omit<ApplyFilter, 'id_no_idx'>): ApplyFilter {
  const keyword = parseKeyword(asked.keyword)
  return keyword?.kind === 'id_no' ? { ...asked, id_no_idx: indexIdNo(keys, keyword.id_no) } : asked
}

function fitting(db: Db, school_id: number, { season_id, state, dept_id, keyword, id_no_idx }: ApplyFilter) {
  let query = db.selectFrom('freshmen_apply').where('school_id', '=', school_id).where('season_id', '=', season_id)
  if (state !== undefined) query = query.where('state', '=', state)
  if (dept_id !== undefined) query = query.where('target_dept_id', '=', dept_id)
  if (id_no_idx !== undefined) return query.where('id_no_idx', '=', id_no_idx)
  const word = keyword?.trim()
  if (word) query = query.where(eb => eb.or([eb('apply_no', '=', word.toUpperCase()), eb('guardian_mobile', '=', word), nameHas(nameKeyOf('user_name'), word)]))
  return query
}

/** One page of applications, the one that waits longest first; and how many there are. */
export async function pageApplications(db: Db, school_id: number, filter: ApplyFilter, { limit, offset }: { limit: number; offset: number }) {
  const query = fitting(db, school_id, filter)
  const list = await query.select(columns).orderBy('applied_at').orderBy('id').limit(limit).offset(offset).execute()
  const { total } = await query.select(eb => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { list, total: Number(total) }
}
export type ApplyRecord = Awaited<ReturnType<typeof pageApplications>>['list'][number]

/** These applications, as far as they are the school's; `lock` keeps them until the transaction ends, in one order. */
export function applicationsOf(db: Db, school_id: number, ids: readonly string[], use: 'read' | 'lock' = 'read'): Promise<ApplyRecord[]> {
  const query = db.selectFrom('freshmen_apply').select(columns).where('school_id', '=', school_id).where(sql<boolean>`id = any(${[...ids]}::uuid[])`).orderBy('id')
  return (use === 'lock' ? query.forUpdate() : query).execute()
}

export async function changeApplications(db: Db, school_id: number, ids: readonly string[], change: Updateable<PeopleDb['freshmen_apply']>): Promise<void> {
  await db.updateTable('freshmen_apply').set({ ...change, row_version: sql`row_version + 1` }).where('school_id', '=', school_id).where(sql<boolean>`id = any(${[...ids]}::uuid[])`).execute()
}

/** How many of a season have a place: admitted or arrived. */
export async function countPlaced(db: Db, school_id: number, season_id: string): Promise<number> {
  const { count } = await db.selectFrom('freshmen_apply').select(eb => eb.fn.countAll<string>().as('count')).where('school_id', '=', school_id).where('season_id', '=', season_id).where('state', 'in', ['4', '6']).executeTakeFirstOrThrow()
  return Number(count)
}

/** The living person who has this identity number. */
export function personOfNumber(db: Db, school_id: number, id_no_idx: Buffer | null) {
  return db.selectFrom('person').select(['user_id', 'user_name']).where('school_id', '=', school_id).where('status', '=', 'live').where('id_no_idx', '=', id_no_idx).executeTakeFirst()
}

/** Pupils in class whose guardian has this mobile, inside the reader's departments. */
export async function pupilsOfGuardian(db: Db, school_id: number, mobile: string, scope: DeptScope) {
  const query = db
    .selectFrom('live_parent as r')
    .innerJoin('guardian_link as g', join => join.onRef('g.school_id', '=', 'r.school_id').onRef('g.parent_user_id', '=', 'r.user_id'))
    .innerJoin('live_student as s', join => join.onRef('s.school_id', '=', 'g.school_id').onRef('s.user_id', '=', 'g.student_user_id'))
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 'r.school_id').onRef('p.user_id', '=', 'r.user_id'))
    .select(['s.user_id', 's.user_name', 's.dept_id'])
    .where('r.school_id', '=', school_id)
    .where('p.mobile', '=', mobile)
    .where('g.valid_to', 'is', null)
    .orderBy('s.user_id')
  return (scope === 'all' ? query : query.where(oneOf('s.dept_id', scope))).execute()
}

/** The classes and numbers these people have today. */
export function pupilsNow(db: Db, school_id: number, user_ids: readonly string[]) {
  return db.selectFrom('live_student').select(['user_id', 'student_no', 'dept_id']).where('school_id', '=', school_id).where(oneOf('user_id', user_ids)).execute()
}
