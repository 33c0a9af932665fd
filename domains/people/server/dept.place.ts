import { peopleErrors } from '@campus/people/contract'
import type { DeptPatch } from '@campus/people/contract'
import { fail } from '@kit/contract'
import { insertRows } from './bulk.ts'
import type { DeptDesk } from './db.ts'
import { readParents } from './dept.add.ts'
import { isBelow, lastOrder, versionsBelow, versionsOf } from './dept.edit.queries.ts'
import type { DeptFacts } from './dept.edit.queries.ts'
import { placesFrom, standing } from './dept.plan.ts'
import type { Parent } from './dept.plan.ts'
import { class_type, className, gradeWord, numberIn, refuseDepth, refusePlace } from './dept.rules.ts'
import { holds, idsOf, lasts, nextOwnChange, rewriteFrom } from './dept.timeline.ts'
import type { OwnFacts, Version } from './dept.timeline.ts'

/** A department that has got another name or parent: before, after, and what of its undated facts goes with them. */
export type Replaced = { before: Version; after: Version; facts: Partial<Pick<DeptFacts, 'stage' | 'enrol_year' | 'class_no' | 'name_auto'>> }
type Wish = Pick<DeptPatch, 'parent_id' | 'dept_name'>

/**
 * Gives a department another name or parent from a day on, and everything below it its path anew. Undefined when it has them already.
 * The caller has locked the tree.
 * @throws Refusal 409 for the root and for a department of which a later change is written down, 422 for a place that cannot be
 */
export async function replaceDept(ctx: DeptDesk, dept: DeptFacts, wish: Wish, on: string): Promise<Replaced | undefined> {
  const { db, school_id } = ctx
  const versions = await versionsOf(db, school_id, [dept.id])
  const before = versionOn(dept, versions, on)
  const moves = wish.parent_id !== undefined && wish.parent_id !== before.parent_id
  if (!moves && (wish.dept_name === undefined || wish.dept_name === before.dept_name)) return undefined
  if (moves && before.parent_id === null) throw fail(peopleErrors.deptRoot)
  const parent = await parentOf(ctx, wish.parent_id ?? before.parent_id)
  if (moves && parent) refuseMove(dept, parent, on)
  const day = nextOwnChange(versions, on)
  if (day !== undefined) throw fail(peopleErrors.deptFutureChange, { params: { day }, data: { valid_from: day } })
  const own = await ownFacts(ctx, dept, wish, { before, parent: moves ? parent : undefined, on })
  const rows = rewriteFrom(dept.id, own, await versionsBelow(db, school_id, dept.id, on), parent ? placesFrom(parent, on) : [], on)
  refuseDepth(rows)
  await writeFrom(ctx, dept.id, rows, on)
  const [after = before] = rows
  return { before, after, facts: undatedFacts(dept, after, parent, moves, on) }
}

/** @throws Refusal 422 before the department's first day, 409 after its last */
function versionOn(dept: DeptFacts, versions: readonly Version[], on: string): Version {
  const found = versions.find(version => holds(version, on))
  if (found) return found
  throw on < dept.opened_on ? fail(peopleErrors.deptNotOpen, { params: { day: on } }) : fail(peopleErrors.deptClosed)
}

async function parentOf(ctx: DeptDesk, parent_id: string | null): Promise<Parent | undefined> {
  return parent_id === null ? undefined : (await readParents(ctx, [parent_id])).get(parent_id)
}

function refuseMove(dept: DeptFacts, parent: Parent, on: string): void {
  const is_loop = parent.id === dept.id || parent.versions.some(version => lasts(version, on) && idsOf(version).includes(dept.id))
  if (is_loop) throw fail(peopleErrors.deptLoop)
  refusePlace(dept.dept_type, parent.dept_type)
  standing(parent, on)
}

/** What the department says of itself then; a class that keeps its generated name takes the word of its new grade. */
async function ownFacts({ db, school_id }: DeptDesk, dept: DeptFacts, wish: Wish, now: { before: Version; parent: Parent | undefined; on: string }): Promise<OwnFacts> {
  const { before, parent, on } = now
  const dept_name = wish.dept_name ?? before.dept_name
  if (!parent) return { parent_id: before.parent_id, dept_name, grade: before.grade, show_order: before.show_order }
  const show_order = (await lastOrder(db, school_id, parent.id, dept.tree, on)) + 1
  if (dept.dept_type !== class_type) return { parent_id: parent.id, dept_name, grade: before.grade, show_order }
  const above = standing(parent, on)
  const generated = dept.name_auto && dept.class_no !== null ? className(gradeWord(above.grade, above.dept_name), dept.class_no) : before.dept_name
  return { parent_id: parent.id, dept_name: wish.dept_name ?? generated, grade: above.grade, show_order }
}

async function writeFrom({ db, school_id }: DeptDesk, dept_id: string, rows: readonly Version[], on: string): Promise<void> {
  await endFrom(db, school_id, dept_id, on)
  await insertRows(db, 'dept_version', rows.map(row => ({ school_id, ...row })))
}

/** From the day on there are no versions of the department and of what lies below it. */
export async function endFrom(db: DeptDesk['db'], school_id: number, dept_id: string, on: string): Promise<void> {
  await db.deleteFrom('dept_version').where('school_id', '=', school_id).where(isBelow(dept_id)).where('valid_from', '>=', on).execute()
  await db
    .updateTable('dept_version')
    .set({ valid_to: on })
    .where('school_id', '=', school_id)
    .where(isBelow(dept_id))
    .where('valid_from', '<', on)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', on)]))
    .execute()
}

function undatedFacts(dept: DeptFacts, after: Version, parent: Parent | undefined, moves: boolean, on: string): Replaced['facts'] {
  if (dept.dept_type !== class_type || !parent) return { name_auto: false }
  const word = gradeWord(after.grade, parent.versions.find(version => holds(version, on))?.dept_name ?? '')
  const class_no = numberIn(after.dept_name, word)
  const cohort = moves ? { stage: parent.stage, enrol_year: parent.enrol_year } : {}
  return { ...cohort, class_no: class_no ?? dept.class_no, name_auto: class_no !== null }
}
