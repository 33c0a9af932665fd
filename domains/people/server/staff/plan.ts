import { change_codes, staff_leaves } from '@campus/people/contract'
import type { ChangeDraft, StaffChange } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Verdict } from '../change/judge.ts'
import { classFacts, lockDepts } from '../change/subject.facts.ts'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { requireStaff } from '../duty.change.ts'
import { deptScope } from '../scope.ts'
import type { DeptScope } from '../scope.ts'
import { lockPeople } from '../student-file.queries.ts'
import { staffFacts } from './facts.ts'
import type { StaffFacts } from './facts.ts'
import { deptsOf, judgeStaff } from './judge.ts'

/** Is this a command over staff? */
export function isStaffDraft(draft: ChangeDraft): draft is StaffChange {
  return draft.kind === 'STAFF_MOVE' || draft.kind === 'STAFF_OUT' || draft.kind === 'STAFF_RETURN'
}

/** What the effects of a command are told besides its people: who follows as head of a class, how somebody leaves. */
export function toldOnce(draft: ChangeDraft): { successors?: StaffSuccessor[]; leave_word?: string } {
  return draft.kind === 'STAFF_OUT' ? { successors: draft.successors, leave_word: staff_leaves[draft.leave_state] } : {}
}
type StaffSuccessor = Extract<StaffChange, { kind: 'STAFF_OUT' }>['successors'][number]

/**
 * Judges a command over staff. `lock` keeps its people, those who follow them and the departments they come to until the transaction ends.
 * @throws Refusal 404 for anybody or any department outside scope or school, 422 deptStaff for a successor who is no staff
 */
export async function planStaff(ctx: PeopleCtx, draft: StaffChange, lock: 'lock' | 'look'): Promise<Verdict> {
  const { db, school_id, me } = ctx
  const today = schoolDay(ctx.now)
  const scope = await deptScope(ctx, 'staff', today)
  const user_ids = draft.subjects.map(subject => subject.user_id)
  const next = draft.kind === 'STAFF_OUT' ? draft.successors.map(one => one.user_id) : []
  const to = draft.kind === 'STAFF_OUT' ? [] : [...new Set(draft.subjects.map(subject => subject.to_dept_id))]
  if (lock === 'lock') {
    await lockPeople(db, school_id, [...user_ids, ...next])
    await lockDepts(db, school_id, to)
  }
  const facts = await staffFacts(db, school_id, user_ids, today)
  const depts = await classFacts(db, school_id, to, draft.effective_on)
  refuseStrangers(draft, facts, { today, scope }, to.filter(dept_id => !depts.has(dept_id)))
  await requireStaff(db, school_id, next, draft.effective_on)
  return judgeStaff(draft, { today, facts, depts, may: { backdate: me.codes.has(change_codes.backdate) } })
}

/** Everybody named must be staff inside the scope with one department at least, and every department one of it. */
function refuseStrangers(draft: StaffChange, facts: readonly StaffFacts[], { today, scope }: { today: string; scope: DeptScope }, unknown: readonly string[]): void {
  const inside = (dept_id: string) => scope === 'all' || scope.includes(dept_id)
  const to = draft.kind === 'STAFF_OUT' ? [] : draft.subjects.map(subject => subject.to_dept_id)
  const is_strange = facts.length < draft.subjects.length || unknown.length > 0 || !to.every(inside) || facts.some(one => scope !== 'all' && !deptsOf(one, today).some(inside))
  if (is_strange) throw fail(commonErrors.notFound)
}
