import { electiveErrors } from '@campus/teaching/contract'
import type { Quota } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, TeachingCtx } from '../db.ts'

type Place = Pick<TeachingCtx, 'db' | 'school_id'>
type Facts = { grade: string | null; dept_id: string | null; sex: string }
const dim_names: Readonly<Record<string, string>> = { grade: '该年级', dept: '该班', sex: '该性别' }
const Busy = z.record(z.string(), z.string())

/** Quotas of offers. */
export async function readQuotas(db: Db, school_id: number, offer_ids: readonly string[]): Promise<Map<string, Quota[]>> {
  const rows = await db.selectFrom('elective_quota').select(['offer_id', 'dim', 'value', 'cap', 'taken']).where('school_id', '=', school_id)
    .where('offer_id', 'in', ['0', ...offer_ids]).orderBy('dim').orderBy('value').execute()
  return Map.groupBy(rows.map(({ dim, ...row }) => ({ ...row, dim: dim === 'dept' ? 'dept' as const : dim === 'sex'
    ? 'sex' as const : 'grade' as const })), row => row.offer_id)
}

/**
 * Writes the quotas of an offer; what is taken of each is counted. @throws Refusal 404 for a class that is not there, 409 hasSeats below
 * what is taken
 */
export async function saveQuotas({ db, school_id }: Place, offer_id: string, quotas: readonly Omit<Quota, 'taken'>[]): Promise<void> {
  const dept_ids = quotas.flatMap(one => (one.dim === 'dept' ? [one.value] : []))
  if (dept_ids.some(id => !/^\d{1,18}$/u.test(id))) throw fail(commonErrors.notFound)
  const depts = dept_ids.length === 0 ? [] : await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id)
    .where('id', 'in', dept_ids).execute()
  if (depts.length < new Set(dept_ids).size) throw fail(commonErrors.notFound)
  const { rows: holders } = await sql<Facts>`
    select l.grade, l.dept_id::text as dept_id, l.sex from elective_seat s join live_student l on l.school_id = ${school_id} and l.user_id = s.student_id
    where s.school_id = ${school_id} and s.offer_id = ${offer_id} and s.state in (1, 4)`.execute(db)
  const counted = [...new Map(quotas.map(one => [`${one.dim} ${one.value}`, one])).values()].map(({ dim, value, cap }) =>
    ({ school_id, offer_id, dim, value, cap, taken: holders.filter(own => own[columnOf(dim)] === value).length }))
  const over = counted.find(one => one.taken > one.cap)
  if (over) throw fail(electiveErrors.hasSeats, { params: { n: over.taken }, errors: [{ field: 'quotas', msg: '名额不能小于已选人数' }] })
  await db.deleteFrom('elective_quota').where('school_id', '=', school_id).where('offer_id', '=', offer_id).execute()
  await insertMany(db, 'elective_quota', counted)
}

const columnOf = (dim: string) => (dim === 'dept' ? 'dept_id' : dim === 'sex' ? 'sex' : 'grade')

/**
 * Locks the quotas of an offer before its row, always in this order. `mine`: those that concern a pupil.
 * @returns `full`: what is full for him; null: he may come in
 */
export async function lockQuotas({ db, school_id }: Place, offer_id: string,
  student_id: string): Promise<{ mine: { dim: string; value: string }[]; full: string | null }> {
  const rows = await db.selectFrom('elective_quota').select(['dim', 'value', 'cap', 'taken']).where('school_id', '=', school_id)
    .where('offer_id', '=', offer_id).orderBy('dim').orderBy('value').forUpdate().execute()
  if (rows.length === 0) return { mine: [], full: null }
  const pupil = await db.selectFrom('live_student').select(['grade', 'dept_id', 'sex']).where('school_id', '=', school_id)
    .where('user_id', '=', student_id).executeTakeFirst()
  const mine = rows.filter(row => pupil?.[columnOf(row.dim)] === row.value)
  const full = mine.find(row => row.taken >= row.cap)
  return { mine, full: full ? (dim_names[full.dim] ?? '') : null }
}

/** One seat more or less of the quotas that concern a pupil. */
export async function countQuotas({ db, school_id }: Place, offer_id: string, mine: readonly { dim: string; value: string }[],
  by: 1 | -1): Promise<void> {
  for (const { dim, value } of mine) {
    await db.updateTable('elective_quota').set({ taken: sql<number>`greatest(0, taken + ${by})` }).where('school_id', '=', school_id)
      .where('offer_id', '=', offer_id).where('dim', '=', dim).where('value', '=', value).execute()
  }
}

/** The lesson that a pupil's own class has at the time of an offer; null: none. */
export async function homeLesson({ db, school_id }: Place, busy: unknown, student_id: string): Promise<string | null> {
  const lessons = Busy.parse(busy)
  if (Object.keys(lessons).length === 0) return null
  const pupil = await db.selectFrom('live_student').select('dept_id').where('school_id', '=', school_id).where('user_id', '=', student_id)
    .executeTakeFirst()
  return lessons[pupil?.dept_id ?? ''] ?? null
}
