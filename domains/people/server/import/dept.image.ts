import type { ImportUndo, UndoRow, ApplyStep } from '@campus/jobs/server'
import { sql } from 'kysely'
import { z } from 'zod'
import { oneOf } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { Db, PeopleDb } from '../db.ts'
import { lockTree } from '../dept.lock.ts'
import { tellClosed, tellDepts, tellDuties } from '../dept.told.ts'
import { declareDuties } from '../duty.declare.ts'
import { dropRemarks } from '../remark/remark.queries.ts'
import { markOf } from './image.ts'

type Step = ApplyStep<PeopleDb>

const Duty = z.object({ id: z.string(), user_id: z.string(), duty: z.enum(['head', 'vice_head', 'grade_head', 'dept_leader', 'safety']), valid_from: z.string(), valid_to: z.string().nullable() })
/** How a department stood before a line changed it. */
const DeptImage = z.object({
  class_type: z.string().nullable(),
  row_version: z.number(),
  updated_at: z.string(),
  updated_by: z.string().nullable(),
  duties: z.array(Duty),
  remarks: z.record(z.string(), z.string()),
})
export type DeptImage = z.output<typeof DeptImage>

export const deptKey = (id: string) => `d:${id}`

/** What an import writes of these departments, as it stands. */
export async function deptImages(db: Db, school_id: number, ids: readonly string[]): Promise<Map<string, DeptImage>> {
  // The time as text: a Date would lose its microseconds.
  const updated_at = sql<string>`updated_at::text`.as('updated_at')
  const depts = await db.selectFrom('dept').select(['id', 'class_type', 'row_version', 'updated_by', updated_at]).where('school_id', '=', school_id).where(oneOf('id', ids)).execute()
  const duties = Map.groupBy(await dutiesOf(db, school_id, ids), row => row.dept_id)
  const remarks = Map.groupBy(await db.selectFrom('dept_remark').select(['dept_id', 'field_id', 'value']).where('school_id', '=', school_id).where(oneOf('dept_id', ids)).orderBy('field_id').execute(), row => row.dept_id)
  return new Map(depts.map(({ id, ...facts }) => {
    return [id, DeptImage.parse({ ...facts, duties: duties.get(id) ?? [], remarks: Object.fromEntries((remarks.get(id) ?? []).map(row => [row.field_id, row.value])) })]
  }))
}

function dutiesOf(db: Db, school_id: number, ids: readonly string[]) {
  return db.selectFrom('dept_duty').select(['dept_id', 'id', 'user_id', 'duty', 'valid_from', 'valid_to']).where('school_id', '=', school_id).where(oneOf('dept_id', ids)).orderBy('id').execute()
}

/** Marks of departments: what an import writes of them, where they stand and what they are called, and of those the batch made, who else uses them. */
export async function deptMarks({ db, school_id, batch_no, app }: Step, ids: readonly string[]): Promise<Map<string, string>> {
  const images = await deptImages(db, school_id, ids)
  const { rows } = await sql<{ id: string; versions: unknown; closed_on: string | null; uses: number }>`
    select d.id, d.closed_on,
      (select json_agg(json_build_array(v.valid_from, v.valid_to, v.parent_id, v.dept_name, v.grade) order by v.valid_from) from dept_version v where v.school_id = ${school_id} and v.dept_id = d.id) as versions,
      case when d.batch_no = ${batch_no} then
        (select count(*) from dept_member m where m.school_id = ${school_id} and m.dept_id = d.id)
        + (select count(distinct v.dept_id) from dept_version v join dept c on c.school_id = v.school_id and c.id = v.dept_id
            where v.school_id = ${school_id} and c.school_id = ${school_id} and v.parent_id = d.id and c.batch_no is distinct from ${batch_no})
      else 0 end::int as uses
    from dept d where d.school_id = ${school_id} and ${oneOf('d.id', ids)}`.execute(db)
  return new Map(rows.map(({ id, ...around }) => [deptKey(id), markOf(app.secrets.id_index_key, deptKey(id), { ...images.get(id), ...around })]))
}

/** Taking back an import of departments: made ones vanish, changed ones get back kind, leaders and remarks exactly. */
export const deptUndo: ImportUndo<PeopleDb> = {
  async marks(step, keys, lock) {
    const ids = keys.map(key => key.slice(2))
    if (lock) await lockTree(step.db, step.school_id, { whole: [], alone: ids })
    return deptMarks(step, ids)
  },
  reason: () => '部门在导入后已变动，或已有人员、下级部门',
  async undo(step, rows, kept) {
    const going = rows.filter(row => !kept.has(deptKey(row.target_id)))
    await removeMade(step, going.filter(row => row.before === null).map(row => row.target_id))
    await giveBack(step, going.filter(row => row.before !== null))
  },
}

async function removeMade(step: Step, ids: readonly string[]): Promise<void> {
  const { db, school_id, now } = step
  if (ids.length === 0) return
  const led = await dutiesOf(db, school_id, ids)
  await db.deleteFrom('dept_duty').where('school_id', '=', school_id).where(oneOf('dept_id', ids)).execute()
  await dropRemarks(db, school_id, ids)
  await db.deleteFrom('dept_version').where('school_id', '=', school_id).where(oneOf('dept_id', ids)).execute()
  await db.deleteFrom('dept').where('school_id', '=', school_id).where(oneOf('id', ids)).execute()
  await toldDuties(step, led.map(row => row.user_id))
  for (const id of ids) await tellClosed(step, id, schoolDay(now))
}

async function giveBack(step: Step, rows: readonly UndoRow[]): Promise<void> {
  const { db, school_id, now } = step
  const ids = rows.map(row => row.target_id)
  if (ids.length === 0) return
  const led = await dutiesOf(db, school_id, ids)
  const images = rows.map(row => ({ dept_id: row.target_id, image: DeptImage.parse(row.before) }))
  await db.deleteFrom('dept_duty').where('school_id', '=', school_id).where(oneOf('dept_id', ids)).execute()
  await dropRemarks(db, school_id, ids)
  for (const { dept_id, image: { duties, remarks, class_type, row_version, updated_at, updated_by } } of images) {
    if (duties.length > 0) await db.insertInto('dept_duty').values(duties.map(duty => ({ school_id, dept_id, ...duty }))).execute()
    const said = Object.entries(remarks)
    if (said.length > 0) await db.insertInto('dept_remark').values(said.map(([field_id, value]) => ({ school_id, dept_id, field_id, value }))).execute()
    await db.updateTable('dept').set({ class_type, row_version, updated_at, updated_by }).where('school_id', '=', school_id).where('id', '=', dept_id).execute()
  }
  await toldDuties(step, [...led.map(row => row.user_id), ...images.flatMap(({ image }) => image.duties.map(duty => duty.user_id))])
  await tellDepts(step, ids, schoolDay(now))
}

async function toldDuties(step: Step, user_ids: readonly string[]): Promise<void> {
  const people = [...new Set(user_ids)]
  await declareDuties(step.db, step.school_id, people)
  await tellDuties(step, people, schoolDay(step.now))
}
