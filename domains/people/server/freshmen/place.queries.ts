import { PlaceBoard, placeFigures } from '@campus/people/contract'
import type { PlaceChild, PlaceClass } from '@campus/people/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import { oneOf, validOn } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { Db, PeopleCtx } from '../db.ts'
import { labelsOn } from '../dept.service.ts'
import type { Season } from './season.queries.ts'

const Kept = z.record(z.string(), z.string().nullable())
/** What a run has placed, and what was moved by hand before it was adopted. */
export const PlaceResult = z.object({ places: PlaceBoard.shape.places, moved: PlaceBoard.shape.places })
export type PlaceResult = z.output<typeof PlaceResult>

const yes = '1'
const none_left_behind = ['', '0']
/** Places of a class that says nothing itself (chapter 20 rule 30). */
const usual_room: Readonly<Record<string, number>> = { 0: 45, 1: 45 }
const room_above_primary = 50

/** Whom a placement places: the admitted, and those who have arrived already; whoever has a class stays there unless all are drawn anew. */
export async function readChildren(db: Db, school_id: number, season_id: string, is_anew: boolean): Promise<PlaceChild[]> {
  const rows = await db
    .selectFrom('freshmen_apply')
    .select(['id', 'user_name', 'sex', 'score', 'twin_group', 'apart_group', 'target_dept_id', 'state', 'values'])
    .where('school_id', '=', school_id)
    .where('season_id', '=', season_id)
    .where('state', 'in', ['4', '6'])
    .orderBy('id')
    .execute()
  return rows.map(({ id, user_name, sex, score, twin_group, apart_group, target_dept_id, state, values }) => {
    const { board, left_behind } = Kept.parse(values)
    return {
      id, user_name, is_boy: sex === '1', score: score === null ? null : Number(score), twin_group, apart_group, fixed: is_anew && state === '4' ? null : target_dept_id,
      is_left_behind: !none_left_behind.includes(left_behind ?? ''), is_boarder: board === yes,
    }
  })
}

/** The classes of a season in their order, with the places left for its children. */
export async function readClasses(ctx: Pick<PeopleCtx, 'db' | 'school_id' | 'me' | 'now'>, { id, class_plan: { dept_ids }, stage }: Season): Promise<PlaceClass[]> {
  const { db, school_id, now } = ctx
  const today = schoolDay(now)
  const depts = await db.selectFrom('dept').select(['id', 'capacity', 'class_no']).where('school_id', '=', school_id).where(oneOf('id', dept_ids)).where('dept_type', '=', 4).where('closed_on', 'is', null).orderBy('class_no').orderBy('id').execute()
  const seated = await db
    .selectFrom('dept_member as m')
    .select(['m.dept_id', sql<number>`count(*)::int`.as('count')])
    .where('m.school_id', '=', school_id)
    .where('m.member_kind', '=', 'student')
    .where(oneOf('m.dept_id', dept_ids))
    .where(validOn('m', today))
    .where(eb => eb.not(eb.exists(eb.selectFrom('freshmen_apply as f').select('f.id').whereRef('f.school_id', '=', 'm.school_id').where('f.school_id', '=', school_id).where('f.season_id', '=', id).whereRef('f.user_id', '=', 'm.user_id'))))
    .groupBy('m.dept_id')
    .execute()
  const taken = new Map(seated.map(row => [row.dept_id, row.count]))
  const labels = await labelsOn(ctx, dept_ids, today)
  return depts.map(dept => ({ dept_id: dept.id, dept_name: labels.get(dept.id) ?? '', room: Math.max(0, (dept.capacity ?? usual_room[stage] ?? room_above_primary) - (taken.get(dept.id) ?? 0)) }))
}

/** The latest run of a season. */
export function latestRun(db: Db, school_id: number, season_id: string) {
  return runs(db, school_id).where('season_id', '=', season_id).orderBy('id', 'desc').executeTakeFirst()
}

/** One run. */
export function findRun(db: Db, school_id: number, id: string) {
  return runs(db, school_id).where('id', '=', id).executeTakeFirst()
}
export type PlaceRun = NonNullable<Awaited<ReturnType<typeof findRun>>>

function runs(db: Db, school_id: number) {
  return db.selectFrom('freshmen_place_run').select(['id', 'season_id', 'seed', 'input_hash', 'result', 'state', 'created_at']).where('school_id', '=', school_id)
}

/** A run as its board shows it. */
export function boardOf(run: PlaceRun, children: PlaceChild[], classes: PlaceClass[], now_hash: string): PlaceBoard {
  const { places, moved } = PlaceResult.parse(run.result)
  const where = seatsOf({ places, moved })
  return {
    run_id: run.id, state: run.state === 'adopted' ? 'adopted' : 'draft', created_at: run.created_at.toISOString(), input_hash: run.input_hash, is_stale: run.input_hash !== now_hash, moved: moved.length,
    children, classes, places: children.flatMap(({ id }) => { const dept_id = where.get(id); return dept_id === undefined ? [] : [{ id, dept_id }] }),
    figures: placeFigures(children, classes, id => where.get(id)),
  }
}

/** Where everybody sits after what was moved by hand. */
export function seatsOf({ places, moved }: PlaceResult): Map<string, string> {
  return new Map([...places, ...moved].map(({ id, dept_id }) => [id, dept_id]))
}
