import type { RemarkCount, remarkApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { isIn, oneOf, validOn } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { Db, PeopleCtx } from '../db.ts'
import { classCounts } from '../dept.board.queries.ts'
import type { ClassCount } from '../dept.board.queries.ts'
import { deptsOn } from '../dept.queries.ts'
import { deptScope } from '../scope.ts'
import { effectiveValues } from './effective.ts'
import { readRemarkFields, saidOf, staffByDept } from './remark.queries.ts'

const class_type = 4
const nothing_said = ''

/** How many classes (of the staff tree: departments) and people each value of a field has on a day, inside the scope; last those without one. */
export async function remarkStatis(ctx: PeopleCtx, { field_id, tree, on: asked }: Input<typeof remarkApi.statis>): Promise<Reply<typeof remarkApi.statis>> {
  const { db, school_id } = ctx
  const field = await requireField(db, school_id, field_id)
  const on = asked ?? schoolDay(ctx.now)
  const scope = await deptScope(ctx, tree, on)
  const rows = await deptsOn(db, school_id, tree, on)
  const values = effectiveValues(rows, await saidOf(db, school_id, field_id))
  const counted = rows.filter(row => (tree === 'student' ? row.dept_type === class_type : row.parent_id !== null) && (scope === 'all' || scope.includes(row.id)))
  const pupils = new Map((tree === 'student' ? await classCounts(db, school_id, on, scope) : []).map(count => [count.dept_id, count]))
  const staff = new Map((tree === 'staff' ? await staffByDept(db, school_id, on, scope) : []).map(count => [count.dept_id, count.staff]))
  const by_value = Map.groupBy(counted, row => values.get(row.id) ?? nothing_said)
  const shown = [...new Set([...field.options, ...by_value.keys()])].filter(value => value !== nothing_said)
  const sum = (value: string) => summed(value, (by_value.get(value) ?? []).map(row => row.id), pupils, staff)
  return { list: [...shown, ...(by_value.has(nothing_said) ? [nothing_said] : [])].map(sum) }
}

function summed(value: string, dept_ids: readonly string[], pupils: ReadonlyMap<string, ClassCount>, staff: ReadonlyMap<string, number>): RemarkCount {
  const count: RemarkCount = { value, depts: dept_ids.length, students: 0, boys: 0, girls: 0, staff: 0 }
  for (const id of dept_ids) {
    const here = pupils.get(id)
    count.students += here?.student_count ?? 0
    count.boys += here?.boys ?? 0
    count.girls += here?.girls ?? 0
    count.staff += staff.get(id) ?? 0
  }
  return count
}

/** @throws Refusal 404 for a field that this school does not have */
async function requireField(db: Db, school_id: number, field_id: string) {
  const field = (await readRemarkFields(db, school_id)).find(one => one.id === field_id)
  if (!field) throw fail(commonErrors.notFound)
  return field
}

/**
 * The condition that pupil `s` is on the day in a class with this value of a remark field; without a value, in one with none.
 * @throws Refusal 404 for a field that this school does not have
 */
export async function remarkFits({ db, school_id }: { db: Db; school_id: number }, { remark_field, remark_value }: { remark_field: string; remark_value?: string }, on: string): Promise<RawBuilder<boolean>> {
  await requireField(db, school_id, remark_field)
  const rows = await deptsOn(db, school_id, 'student', on)
  const values = effectiveValues(rows, await saidOf(db, school_id, remark_field))
  const classes = rows.filter(row => row.dept_type === class_type && (values.get(row.id) ?? nothing_said) === (remark_value ?? nothing_said)).map(row => row.id)
  return isIn('s.user_id', sql`select m.user_id from dept_member m where m.school_id = ${school_id} and m.member_kind = 'student' and ${validOn('m', on)} and ${oneOf('m.dept_id', classes)}`)
}
