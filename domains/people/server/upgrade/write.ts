import { sql } from 'kysely'
import { z } from 'zod'
import { insertRows } from '../bulk.ts'
import { oneOf } from '../dated.ts'
import type { Db } from '../db.ts'
import { createDepts } from '../dept.create.ts'
import { versionsOf } from '../dept.edit.queries.ts'
import { idsOf, lasts } from '../dept.timeline.ts'
import type { Version } from '../dept.timeline.ts'
import { declareDuties } from '../duty.declare.ts'
import type { Outcome } from './simulate.ts'
import type { Snapshot } from './snapshot.ts'

const day = z.string().nullable()
const VersionRow = z.object({
  dept_id: z.string(), valid_from: z.string(), valid_to: day, parent_id: z.string().nullable(), dept_name: z.string(), grade: z.string().nullable(),
  show_order: z.number(), node_path: z.string(), pt_node_path_name: z.string(), command_id: z.string().nullable(),
})
const DutyRow = z.object({ id: z.string(), dept_id: z.string(), user_id: z.string(), duty: z.string(), valid_from: z.string(), valid_to: day, command_id: z.string().nullable() })

/** What a run wrote to departments and duties, as it was and as it became; a rollback compares and restores it. */
export const RunImage = z.object({ before: z.array(VersionRow), after: z.array(VersionRow), closed: z.array(z.string()), made: z.array(z.string()), duties: z.array(DutyRow) })
export type RunImage = z.output<typeof RunImage>

export type WriteStep = { db: Db; school_id: number; now: Date; on: string; by: string; command_id: string }

/** Writes the names, grades and ends of cohorts and the cohorts of the next stage. @returns what it wrote, and the id of every made key */
export async function writeCohorts(step: WriteStep, snapshot: Snapshot, outcome: Outcome): Promise<{ image: RunImage; made: ReadonlyMap<string, string> }> {
  const { db, school_id, on, command_id } = step
  const { renewals, closings } = outcome
  const touched = [...renewals.map(renewal => renewal.dept_id), ...closings]
  const before = await versionsBeyond(db, school_id, touched, on)
  await endVersions(step, touched)
  await insertRows(db, 'dept_version', renewedVersions(snapshot, outcome, on).map(row => ({ school_id, ...row, command_id })))
  await markDepts(step, renewals.map(renewal => renewal.dept_id), null)
  await markDepts(step, closings, on)
  const duties = await endDuties(step, closings)
  const rows = outcome.made.map(dept => ({ ...dept, tree: 'student' as const, name_auto: true }))
  const made = await createDepts(db, school_id, rows, on)
  const made_ids = [...made.values()]
  await db.updateTable('dept_version').set({ command_id }).where('school_id', '=', school_id).where(oneOf('dept_id', made_ids)).execute()
  const after = await versionsBeyond(db, school_id, [...touched, ...made_ids], on)
  return { image: { before, after, closed: closings, made: made_ids, duties }, made }
}

/** Versions of these departments that last beyond the day, in a settled order. */
export async function versionsBeyond(db: Db, school_id: number, dept_ids: readonly string[], on: string): Promise<Version[]> {
  const rows = await versionsOf(db, school_id, dept_ids)
  return rows.filter(row => lasts(row, on)).toSorted((a, b) => Number(a.dept_id) - Number(b.dept_id) || a.valid_from.localeCompare(b.valid_from))
}

/** From the day on these departments have no versions; one that begins on the very day never was (chapter 20 rule 1). */
async function endVersions({ db, school_id, on }: WriteStep, dept_ids: readonly string[]): Promise<void> {
  await db.deleteFrom('dept_version').where('school_id', '=', school_id).where(oneOf('dept_id', dept_ids)).where('valid_from', '>=', on).execute()
  await db
    .updateTable('dept_version')
    .set({ valid_to: on })
    .where('school_id', '=', school_id)
    .where(oneOf('dept_id', dept_ids))
    .where(sql<boolean>`(valid_to is null or valid_to > ${on}::date)`)
    .execute()
}

/** The highest grade first, in the order of the renewals. */
function renewedVersions({ depts }: Snapshot, { renewals }: Outcome, on: string) {
  const standing = new Map(depts.map(dept => [dept.dept_id, dept]))
  const renewed = new Map(renewals.map(renewal => [renewal.dept_id, renewal]))
  return renewals.flatMap(({ dept_id, dept_name, grade, show_order }) => {
    const dept = standing.get(dept_id)
    if (!dept) return []
    const names = idsOf(dept).map(id => renewed.get(id)?.dept_name ?? standing.get(id)?.dept_name ?? '')
    return [{ dept_id, valid_from: on, parent_id: dept.parent_id, dept_name, grade, show_order, node_path: dept.node_path, pt_node_path_name: names.join('/') }]
  })
}

/** Who has one of these departments open to edit it is told that it is another one now. */
async function markDepts({ db, school_id, now, by }: WriteStep, dept_ids: readonly string[], closed_on: string | null): Promise<void> {
  await db
    .updateTable('dept')
    .set({ closed_on, row_version: sql<number>`row_version + 1`, updated_at: now, updated_by: by })
    .where('school_id', '=', school_id)
    .where(oneOf('id', dept_ids))
    .execute()
}

/** @returns the duties as they were */
async function endDuties({ db, school_id, on }: WriteStep, dept_ids: readonly string[]): Promise<RunImage['duties']> {
  const rows = await db
    .selectFrom('dept_duty')
    .select(['id', 'dept_id', 'user_id', 'duty', 'valid_from', 'valid_to', 'command_id'])
    .where('school_id', '=', school_id)
    .where(oneOf('dept_id', dept_ids))
    .where(sql<boolean>`(valid_to is null or valid_to > ${on}::date)`)
    .orderBy('id')
    .execute()
  const of = (ids: readonly string[]) => oneOf('id', ids)
  await db.deleteFrom('dept_duty').where('school_id', '=', school_id).where(of(rows.filter(row => row.valid_from >= on).map(row => row.id))).execute()
  await db.updateTable('dept_duty').set({ valid_to: on }).where('school_id', '=', school_id).where(of(rows.filter(row => row.valid_from < on).map(row => row.id))).execute()
  await declareDuties(db, school_id, rows.map(row => row.user_id))
  return rows
}

/** Brings departments and duties back as they were. `kept`: made departments in which somebody has come to stay; they bear another name from then on. */
export async function restoreCohorts(step: WriteStep, image: RunImage, kept: ReadonlySet<string>): Promise<void> {
  const { db, school_id, on } = step
  const gone = image.made.filter(id => !kept.has(id))
  const touched = [...new Set(image.before.map(row => row.dept_id))]
  await renameKept(step, [...kept])
  await db.deleteFrom('dept_version').where('school_id', '=', school_id).where(oneOf('dept_id', gone)).execute()
  // Classes before their grade would be no matter: departments refer to each other by versions alone.
  await db.deleteFrom('dept').where('school_id', '=', school_id).where(oneOf('id', gone)).execute()
  await db.deleteFrom('dept_version').where('school_id', '=', school_id).where(oneOf('dept_id', touched)).where('valid_from', '>=', on).execute()
  for (const row of image.before) {
    const values = { school_id, ...row }
    await db.insertInto('dept_version').values(values).onConflict(to => to.columns(['school_id', 'dept_id', 'valid_from']).doUpdateSet({ valid_to: row.valid_to })).execute()
  }
  await markDepts(step, touched, null)
  for (const row of image.duties) {
    await db.insertInto('dept_duty').values({ school_id, ...row }).onConflict(to => to.columns(['school_id', 'id']).doUpdateSet({ valid_to: row.valid_to })).execute()
  }
  await declareDuties(db, school_id, image.duties.map(row => row.user_id))
}

const kept_suffix = '(升级保留)'

/** The names of the old grades come back; what stays beside them must be called otherwise. */
async function renameKept({ db, school_id }: WriteStep, dept_ids: readonly string[]): Promise<void> {
  await sql`
    update dept_version v set dept_name = left(v.dept_name, 24) || ${kept_suffix}, pt_node_path_name = v.pt_node_path_name || ${kept_suffix}
    from dept d where d.school_id = v.school_id and d.id = v.dept_id and v.school_id = ${school_id} and d.dept_type = 3 and ${oneOf('v.dept_id', dept_ids)}`.execute(db)
  await sql`
    update dept_version v set pt_node_path_name = g.pt_node_path_name || '/' || v.dept_name
    from dept_version g where g.school_id = v.school_id and g.dept_id = v.parent_id and v.school_id = ${school_id} and ${oneOf('v.dept_id', dept_ids)} and ${oneOf('g.dept_id', dept_ids)}`.execute(db)
}
