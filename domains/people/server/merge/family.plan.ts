import { changeFromToday, isOver, meet, planDated } from './dated.plan.ts'
import type { RowPlan, DatedRow, DatedSides } from './dated.plan.ts'
import type { MergeSideName } from './rekey-port.ts'

/** A link of a pupil and a guardian. */
export type LinkRow = DatedRow & { student_user_id: number; parent_user_id: number; is_first: boolean; is_guardian: boolean; can_pickup: boolean }
/** A department of one of the staff. */
export type StaffMemberRow = DatedRow & { dept_id: number; is_primary: boolean }

/**
 * Two pupils are one: the links of both stay, a guardian whom both have is one link with the rights of both. A pupil has one first contact a day: the kept one's.
 */
export function planPupilLinks(sides: DatedSides<LinkRow>): RowPlan<LinkRow> {
  const { kept, today } = sides
  const plan = planDated(sides, link => String(link.parent_user_id), 'keep')
  const firsts = kept.filter(link => link.is_first)
  plan.moved = plan.moved.map(one => (one.row.is_first && firsts.some(first => meet(first, one.row)) ? { row: one.row, patch: { ...one.patch, is_first: false } } : one))
  plan.added = plan.added.map(one => (one.row.is_first && firsts.some(first => !isOver(first, today)) ? { row: one.row, patch: { ...one.patch, is_first: false } } : one))
  return withRights(plan, sides, link => link.parent_user_id, !firsts.some(first => !isOver(first, today)))
}

/** Two guardians are one: where both are linked to a child, one link with the rights of both goes on. */
export function planGuardianLinks(sides: DatedSides<LinkRow>): RowPlan<LinkRow> {
  return withRights(planDated(sides, link => String(link.student_user_id), 'keep'), sides, link => link.student_user_id, true)
}

/** What a link that ends had, the link that goes on has from today. */
function withRights(plan: RowPlan<LinkRow>, { kept, dropped, today }: DatedSides<LinkRow>, other: (link: LinkRow) => number, first_free: boolean): RowPlan<LinkRow> {
  for (const link of kept.filter(one => !isOver(one, today))) {
    const twins = dropped.filter(one => other(one) === other(link) && !isOver(one, today) && meet(one, link))
    const rights = {
      is_first: link.is_first || (first_free && twins.some(twin => twin.is_first)),
      is_guardian: link.is_guardian || twins.some(twin => twin.is_guardian),
      can_pickup: link.can_pickup || twins.some(twin => twin.can_pickup),
    }
    const is_same = rights.is_first === link.is_first && rights.is_guardian === link.is_guardian && rights.can_pickup === link.can_pickup
    if (twins.length > 0 && !is_same) changeFromToday(plan, link, rights, today)
  }
  return plan
}

/** Two of the staff are one: departments of both stay, one of them the primary one (`winner` says whose, where both have one). */
export function planStaffMembers(sides: DatedSides<StaffMemberRow>, winner: MergeSideName): RowPlan<StaffMemberRow> {
  const { kept, dropped, today } = sides
  const plan = planDated(sides, member => String(member.dept_id), 'keep')
  const primary = (rows: readonly StaffMemberRow[]) => rows.filter(row => row.is_primary && !isOver(row, today))
  const [mine, theirs] = [primary(kept), primary(dropped)]
  const takes = theirs.length > 0 && (mine.length === 0 || winner === 'drop')
  const rivals = kept.filter(row => row.is_primary)
  for (const one of plan.moved.filter(({ row }) => row.is_primary && rivals.some(rival => meet(rival, row)))) {
    one.patch = { ...one.patch, is_primary: false }
    if (takes && !isOver(one.row, today)) splitMoved(plan, one.row, today)
  }
  plan.added = plan.added.map(({ row, patch }) => ({ row, patch: { ...patch, is_primary: row.is_primary && takes } }))
  if (!takes) return plan
  for (const row of mine) {
    const stays_primary = theirs.some(other => other.dept_id === row.dept_id)
    if (!stays_primary) changeFromToday(plan, row, { is_primary: false }, today)
  }
  for (const row of kept.filter(one => !one.is_primary && !isOver(one, today) && theirs.some(other => other.dept_id === one.dept_id))) {
    changeFromToday(plan, row, { is_primary: true }, today)
  }
  return plan
}

/** A primary department of the merged person that becomes the kept one's today: until then it was the merged person's. */
function splitMoved(plan: RowPlan<StaffMemberRow>, row: StaffMemberRow, today: string): void {
  plan.moved = plan.moved.filter(one => one.row !== row)
  if (row.valid_from >= today) {
    plan.moved.push({ row, patch: {} })
    return
  }
  plan.changed.push({ row, patch: { valid_to: today } })
  plan.added.push({ row, patch: { valid_from: today } })
}
