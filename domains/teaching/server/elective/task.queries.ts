import type { Offer, Slot, TaskRow } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { Db, TeachingDb } from '../db.ts'
import { named, placeNames, teacherNames } from '../plan/plan.queries.ts'
import { readQuotas } from './quota.ts'
import { shown, stateAt } from './state.ts'

const columns = [
  'id', 'kind', 'semester_id', 'name', 'mode', 'state', 'paused', 'open_at', 'close_at', 'drop_until', 'grades', 'min_pick', 'max_pick',
    'wishes', 'waitlist', 'note',
  'seed', 'seed_hash', 'proof_code', 'drawn_at', 'void_reason', 'row_version',
] as const

/** A task as it is stored. */
export type Task = Awaited<ReturnType<typeof requireTask>>

/** @param lock holds the task, so that what is done with it follows one another. @throws Refusal 404 */
export async function requireTask(db: Db, school_id: number, id: string, lock = false) {
  const task = await db.selectFrom('elective_task').select(columns).where('school_id', '=', school_id).where('id', '=', id)
    .$if(lock, query => query.forUpdate()).executeTakeFirst()
  if (!task) throw fail(commonErrors.notFound)
  return task
}

/** Rows as pages show them, with their counts. The seed is shown only after the draw (chapter 50 rule 37). */
export async function taskRows(db: Db, school_id: number, now: Date, tasks: readonly Task[]): Promise<TaskRow[]> {
  if (tasks.length === 0) return []
  const ids = tasks.map(task => task.id)
  const { rows: sums } = await sql<{ task_id: string; offers: number; capacity: number; taken: number; classes: number }>`
    select task_id::text as task_id, count(*)::int as offers, sum(capacity)::int as capacity, sum(taken)::int as taken, count(class_id)::int as classes
    from elective_offer where school_id = ${school_id} and task_id = any(${ids}::bigint[]) group by task_id`.execute(db)
  const { rows: pupils } = await sql<{ task_id: string; chosen: number }>`
    select task_id::text as task_id, count(distinct student_id)::int as chosen from elective_seat where school_id = ${school_id} and task_id = any(${ids}::bigint[]) and state in (1, 2, 4) group by task_id`.execute(db)
  const { rows: grades } = await sql<{ grade: string; count: number }>`select grade, count(*)::int as count from live_student where school_id = ${school_id} and grade is not null group by grade`.execute(db)
  const terms = await db.selectFrom('semester_v').select(['semester_id', 'name']).where('school_id', '=', school_id).execute()
  return tasks.map(({ seed, open_at, close_at, drop_until, drawn_at, ...task }) => {
    const sum = sums.find(one => one.task_id === task.id) ?? { offers: 0, capacity: 0, taken: 0, classes: 0 }
    return {
      ...task, offers: sum.offers, capacity: sum.capacity, taken: sum.taken, classes: sum.classes,
        state: stateAt({ ...task, open_at, close_at }, now), seed: drawn_at === null ? null : seed,
      semester_name: terms.find(term => term.semester_id === task.semester_id)?.name ?? '',
        chosen: pupils.find(one => one.task_id === task.id)?.chosen ?? 0,
      audience: grades.filter(one => task.grades.includes(one.grade)).reduce((total, one) => total + one.count, 0),
      open_at: open_at.toISOString(), close_at: close_at.toISOString(), drop_until: drop_until?.toISOString() ?? null,
        drawn_at: drawn_at?.toISOString() ?? null,
    }
  })
}

/** @throws Refusal 404 */
export async function taskRow(db: Db, school_id: number, now: Date, id: string): Promise<TaskRow> {
  const [row] = await taskRows(db, school_id, now, [await requireTask(db, school_id, id)])
  if (!row) throw fail(commonErrors.notFound)
  return row
}

type OfferRow = Omit<Offer, 'teachers' | 'place_name' | 'quotas'> & { teacher_ids: string[]; slots: Slot[] }

/** Offers of tasks in the order of their titles. */
export async function readOffers(db: Db, school_id: number, task_id: string, only?: string): Promise<Offer[]> {
  const { rows } = await sql<OfferRow>`
    select o.id::text as id, o.task_id::text as task_id, o.title, o.course_id::text as course_id, k.course_name, o.combo, o.teacher_ids::text[] as teacher_ids, o.place_id::text as place_id, o.slots, o.grades, o.sex,
      o.group_no::int as group_no, o.clashes::text[] as clashes, o.capacity, o.taken, o.waitlisted, o.class_id::text as class_id, o.note, o.row_version,
      (select count(*) from elective_seat s where s.school_id = ${school_id} and s.offer_id = o.id and s.state = 2)::int as wished
    from elective_offer o left join course k on k.school_id = ${school_id} and k.id = o.course_id
    where o.school_id = ${school_id} and o.task_id = ${task_id} and (${only ?? null}::bigint is null or o.id = ${only ?? null}) order by o.id`.execute(db)
  const names = await teacherNames(db, school_id, rows.flatMap(row => row.teacher_ids))
  const places = await placeNames(db, school_id, rows.flatMap(row => row.place_id ?? []))
  const quotas = await readQuotas(db, school_id, rows.map(row => row.id))
  return rows.map(({ teacher_ids, ...row }) => ({ ...row, quotas: quotas.get(row.id) ?? [], teachers: named(teacher_ids, names),
    place_name: row.place_id === null ? null : (places.get(row.place_id) ?? null) }))
}

/** Whether pupils may still see or hold anything of a task. */
export function isLive(state: number): boolean {
  return state === shown.coming || state === shown.open || state === shown.closed || state === shown.announced
}

/** Names of tasks, for the conditions of a sheet. */
export async function taskLabels(place: { db: QueryExecutorProvider; school_id: number }, ids: readonly string[]): Promise<Map<string, string>> {
  const { db, school_id } = place
  const rows = await asTables<TeachingDb>(db).selectFrom('elective_task').select(['id', 'name']).where('school_id', '=', school_id)
    .where('id', 'in', ['0', ...ids]).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
