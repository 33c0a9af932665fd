import { peopleErrors } from '@campus/people/contract'
import type { StaffChange } from '@campus/people/contract'
import type { ChangeBlock, Judged, Verdict } from '../change/judge.ts'
import { block, dateBlocks, holds, isBackdated } from '../change/judge.ts'
import type { ClassFacts } from '../change/subject.facts.ts'
import type { StaffFacts } from './facts.ts'

/** What the verdict over staff depends on, besides the draft. */
export type StaffCourt = { today: string; facts: readonly StaffFacts[]; depts: ReadonlyMap<string, ClassFacts>; may: { backdate: boolean } }

/** Judges a command over staff (chapter 20 §2, rules 1–4): how everybody stands before and after, and everything that forbids it. */
export function judgeStaff(draft: StaffChange, court: StaffCourt): Verdict {
  const of_people = court.facts.flatMap(facts => subjectBlocks(draft, facts, court))
  const blocks = [...dateBlocks(draft, court), ...of_people, ...deptBlocks(draft, court)]
  const is_special = isBackdated(draft, court) && court.may.backdate
  const reason = is_special && draft.reason === '' ? [block(peopleErrors.reasonNeeded)] : []
  return { subjects: court.facts.map(facts => judged(draft, facts, court)), blocks: [...blocks, ...reason] }
}

/** The primary department of today; of somebody who is gone the last one. */
function primaryOf({ depts }: StaffFacts, today: string): string | null {
  return (depts.findLast(row => row.is_primary && holds(row, today)) ?? depts.findLast(row => holds(row, today)) ?? depts.at(-1))?.dept_id ?? null
}

/** Everybody's departments of today; of somebody who is gone the last one. */
export function deptsOf(facts: StaffFacts, today: string): string[] {
  const now = facts.depts.filter(row => holds(row, today)).map(row => row.dept_id)
  const last = primaryOf(facts, today)
  return now.length > 0 || last === null ? now : [last]
}

/** Where the draft puts this person; null: nowhere. */
function targetOf(draft: StaffChange, user_id: string): string | null {
  return draft.kind === 'STAFF_OUT' ? null : (draft.subjects.find(subject => subject.user_id === user_id)?.to_dept_id ?? null)
}

/** The first of everything that forbids the command for one person. */
function subjectBlocks(draft: StaffChange, facts: StaffFacts, { today }: StaffCourt): ChangeBlock[] {
  const { user_id, pending, states, depts } = facts
  const here = states.some(row => holds(row, today))
  if (pending !== null) return [block(peopleErrors.futureChange, user_id, `/ChangeRecord?command_id=${pending}`)]
  if (draft.kind === 'STAFF_RETURN') return returnBlocks(draft, facts, here)
  if (!here) return [block(peopleErrors.staffMoved, user_id)]
  if ([...depts, ...states].some(row => row.valid_from > draft.effective_on)) return [block(peopleErrors.laterChange, user_id)]
  return draft.kind === 'STAFF_MOVE' ? moveBlocks(draft, facts, today) : headBlocks(draft, facts)
}

function returnBlocks({ effective_on }: StaffChange, { user_id, states }: StaffFacts, here: boolean): ChangeBlock[] {
  if (here) return [block(peopleErrors.staffHere, user_id)]
  return states.some(row => row.valid_to === null || row.valid_to > effective_on) ? [block(peopleErrors.laterChange, user_id)] : []
}

function moveBlocks(draft: Extract<StaffChange, { kind: 'STAFF_MOVE' }>, { user_id, depts }: StaffFacts, today: string): ChangeBlock[] {
  const move = draft.subjects.find(subject => subject.user_id === user_id)
  const now = depts.filter(row => holds(row, today)).map(row => row.dept_id)
  if (!move || !now.includes(move.from_dept_id)) return [block(peopleErrors.staffMoved, user_id)]
  return now.includes(move.to_dept_id) ? [block(peopleErrors.staffInDept, user_id)] : []
}

/** Every class that he would head on that day or later needs somebody else from then on. */
function headBlocks(draft: Extract<StaffChange, { kind: 'STAFF_OUT' }>, { user_id, heads }: StaffFacts): ChangeBlock[] {
  const leaving = new Set(draft.subjects.map(subject => subject.user_id))
  const led = heads.filter(row => row.valid_to === null || row.valid_to > draft.effective_on)
  const next = led.map(row => draft.successors.find(one => one.dept_id === row.dept_id)?.user_id)
  if (next.includes(undefined)) return [block(peopleErrors.headNeedsSuccessor, user_id, '/Organization')]
  return next.some(one => one !== undefined && leaving.has(one)) ? [block(peopleErrors.successorLeaves, user_id)] : []
}

/** Departments that somebody comes to: of the staff, and standing on the day. */
function deptBlocks(draft: StaffChange, { depts }: StaffCourt): ChangeBlock[] {
  if (draft.kind === 'STAFF_OUT') return []
  return [...new Set(draft.subjects.map(subject => subject.to_dept_id))].flatMap(dept_id => {
    const dept = depts.get(dept_id)
    if (dept?.tree === 'student' || dept === undefined) return [block(peopleErrors.staffDept)]
    return dept.is_open ? [] : [block(peopleErrors.staffDeptClosed)]
  })
}

function judged(draft: StaffChange, facts: StaffFacts, { today }: StaffCourt): Judged {
  const { user_id, user_name, user_no, depts, states, heads } = facts
  const state = states.find(row => holds(row, today))?.state ?? null
  const from = draft.kind === 'STAFF_MOVE' ? draft.subjects.find(subject => subject.user_id === user_id)?.from_dept_id : undefined
  const after_state = draft.kind === 'STAFF_MOVE' ? state : draft.kind === 'STAFF_RETURN' ? draft.state : null
  return {
    user_id,
    user_name,
    user_no,
    rests_on: [...depts.slice(-2).map(row => row.id), states.at(-1)?.id ?? null, ...heads.map(row => row.dept_id)],
    before: { dept_id: state === null ? null : (from ?? primaryOf(facts, today)), state },
    after: { dept_id: targetOf(draft, user_id), state: after_state },
    warnings: [],
  }
}
