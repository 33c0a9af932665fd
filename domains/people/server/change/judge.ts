import { peopleErrors } from '@campus/people/contract'
import type { ChangeDraft, ClassMove, PupilChange } from '@campus/people/contract'
import type { Failure } from '@kit/contract'
import { addDays } from '../day.ts'
import { isMove, targetOf, targetsOf } from './pupil.target.ts'
import type { ClassFacts, SubjectFacts } from './subject.facts.ts'

/** What stands in the way of a command; the failure is what applying answers. */
export type ChangeBlock = { failure: Failure; user_id: string | null; link: string | null }
/** One person of a command that is being judged: who he is, where he stands, where he will stand. */
export type Judged = {
  user_id: string
  user_name: string
  user_no: string
  /** the rows the decision rests on; another row later means another plan */
  rests_on: readonly (string | null)[]
  before: { dept_id: string | null; state: string | null }
  after: { dept_id: string | null; state: string | null }
  warnings: string[]
}
export type Verdict = { subjects: Judged[]; blocks: ChangeBlock[] }

/** What the verdict depends on, besides the draft. */
export type Court = {
  today: string
  facts: readonly SubjectFacts[]
  classes: ReadonlyMap<string, ClassFacts>
  may: { overfill: boolean; backdate: boolean }
}

const back_days = 30
const ahead_days = 180
const class_type = 4
const in_class = '01'
const suspended = '02'
const compulsory_stages = ['1', '2']
const overfull_msg = '班级人数将超过上限'
/** A move to another cohort is usually a pupil who repeats or skips a year: a change of its own kind on the register. */
const other_cohort_msg = '跨年级调班，请确认不是留级或跳级'

/** Judges a command over pupils (chapter 20 §2, rules 1–4): how everybody stands before and after, and everything that forbids it. */
export function judge(draft: PupilChange, court: Court): Verdict {
  const rooms = judgeRooms(draft, court)
  const of_pupils = court.facts.flatMap(facts => subjectBlocks(draft, facts, court))
  const before_reason = [...dateBlocks(draft, court), ...of_pupils, ...rooms.blocks]
  const is_special = rooms.overfull.size > 0 || (isBackdated(draft, court) && court.may.backdate)
  const reason = is_special && draft.reason === '' ? [block(peopleErrors.reasonNeeded)] : []
  return { subjects: court.facts.map(facts => judged(draft, facts, court, rooms.overfull)), blocks: [...before_reason, ...reason] }
}

/** One thing that stands in the way. */
export function block(failure: Failure, user_id: string | null = null, link: string | null = null): ChangeBlock {
  return { failure, user_id, link }
}

/** Does the command reach back further than everybody may? */
export function isBackdated({ effective_on }: Pick<ChangeDraft, 'effective_on'>, { today }: Pick<Court, 'today'>): boolean {
  return effective_on < addDays(today, -back_days)
}

/** What forbids the day of a command (chapter 20 rule 3). */
export function dateBlocks(draft: Pick<ChangeDraft, 'effective_on'>, court: { today: string; may: { backdate: boolean } }): ChangeBlock[] {
  if (isBackdated(draft, court) && !court.may.backdate) return [block(peopleErrors.backdateTooFar)]
  return draft.effective_on > addDays(court.today, ahead_days) ? [block(peopleErrors.futureTooFar)] : []
}

/** The class of today; of somebody who is gone the last one. */
export function homeOf({ classes }: SubjectFacts, today: string): string | null {
  return (classes.findLast(row => holds(row, today)) ?? classes.at(-1))?.dept_id ?? null
}

/** Does a dated row hold on the day? */
export function holds({ valid_from, valid_to }: { valid_from: string; valid_to: string | null }, day: string): boolean {
  return valid_from <= day && (valid_to === null || valid_to > day)
}

/** The first of everything that forbids the command for one pupil. */
function subjectBlocks(draft: PupilChange, facts: SubjectFacts, court: Court): ChangeBlock[] {
  const { user_id, pending } = facts
  const { effective_on, kind } = draft
  const home = facts.classes.find(row => holds(row, court.today))?.dept_id
  if (pending !== null) return [block(peopleErrors.futureChange, user_id, `/ChangeRecord?command_id=${pending}`)]
  const state = stateBlock(draft, facts.states.find(row => holds(row, court.today))?.state)
  if (state) return [block(state, user_id)]
  const move = isMove(draft) ? moveBlock(draft, user_id, home, court) : undefined
  if (move) return [block(move, user_id)]
  const is_later = [...facts.classes, ...facts.states].some(row => row.valid_from > effective_on || (kind === 'RETURN' && (row.valid_to ?? '') > effective_on))
  if (is_later) return [block(peopleErrors.laterChange, user_id)]
  const is_compulsory = compulsory_stages.includes(court.classes.get(home ?? '')?.stage ?? '')
  return is_compulsory && (kind === 'QUIT' || kind === 'EXPEL') ? [block(peopleErrors.compulsoryStage, user_id)] : []
}

/** Which commands a state allows (chapter 20 §2): suspended are those in class, resumed those kept on the roll, returned those who are gone. */
function stateBlock({ kind }: PupilChange, state: string | undefined): Failure | undefined {
  if (kind === 'RETURN') return state === undefined ? undefined : peopleErrors.stillHere
  if (state === undefined) return peopleErrors.memberMoved
  if (kind === 'SUSPEND') return state === in_class || state === suspended ? undefined : peopleErrors.notInClass
  return kind === 'RESUME' && state === in_class ? peopleErrors.notSuspended : undefined
}

/** The class that was shown must still be his; repeating goes to a later cohort, skipping to an earlier one. */
function moveBlock(draft: ClassMove, user_id: string, home: string | undefined, { classes }: Court): Failure | undefined {
  const move = draft.subjects.find(subject => subject.user_id === user_id)
  if (move && move.from_dept_id !== home) return peopleErrors.memberMoved
  if (move && move.to_dept_id === home) return peopleErrors.sameClass
  const years = (classes.get(move?.to_dept_id ?? '')?.enrol_year ?? 0) - (classes.get(home ?? '')?.enrol_year ?? 0)
  const is_wrong = (draft.kind === 'REPEAT' && years <= 0) || (draft.kind === 'SKIP' && years >= 0)
  return is_wrong ? peopleErrors.cohortDirection : undefined
}

/** Whether the classes can take those who come; who goes out by the same command makes room. */
function judgeRooms(draft: PupilChange, { facts, today, classes, may }: Court): { blocks: ChangeBlock[]; overfull: Set<string> } {
  const blocks: ChangeBlock[] = []
  const overfull = new Set<string>()
  const homes = facts.map(one => ({ user_id: one.user_id, home: one.classes.find(row => holds(row, today))?.dept_id }))
  for (const dept_id of targetsOf(draft)) {
    const room = classes.get(dept_id)
    const coming = homes.filter(({ user_id, home }) => targetOf(draft, user_id) === dept_id && home !== dept_id).length
    const going = homes.filter(({ user_id, home }) => home === dept_id && targetOf(draft, user_id) !== dept_id).length
    const is_full = room !== undefined && room.capacity !== null && room.peak + coming - going > room.capacity
    if (room?.dept_type !== class_type) blocks.push(block(peopleErrors.classNeeded))
    else if (!room.is_open) blocks.push(block(peopleErrors.classClosed))
    else if (is_full && !may.overfill) blocks.push(block(peopleErrors.classFull))
    else if (is_full) overfull.add(dept_id)
  }
  return { blocks, overfull }
}

function judged(draft: PupilChange, facts: SubjectFacts, { today, classes: rooms }: Court, overfull: ReadonlySet<string>): Judged {
  const { user_id, user_name, student_no, classes, states } = facts
  const dept_id = homeOf(facts, today)
  const state = states.find(row => holds(row, today))?.state ?? null
  const to = targetOf(draft, user_id)
  const is_warned = draft.kind === 'CLASS' && to !== null && isOtherCohort(rooms, dept_id, to)
  return {
    user_id,
    user_name,
    user_no: student_no,
    rests_on: [classes.at(-1)?.id ?? null, states.at(-1)?.id ?? null],
    before: { dept_id: state === null ? null : dept_id, state },
    after: afterwards(draft, { dept_id, state, to }),
    warnings: [...(to !== null && overfull.has(to) ? [overfull_msg] : []), ...(is_warned ? [other_cohort_msg] : [])],
  }
}

/** Where and how a pupil stands after the command. */
function afterwards(draft: PupilChange, { dept_id, state, to }: { dept_id: string | null; state: string | null; to: string | null }): Judged['after'] {
  if (isMove(draft)) return { dept_id: to, state }
  if (draft.kind === 'SUSPEND') return { dept_id, state: suspended }
  if (draft.kind === 'RESUME' || draft.kind === 'RETURN') return { dept_id: to ?? dept_id, state: in_class }
  return { dept_id: null, state: null }
}

function isOtherCohort(rooms: Court['classes'], from: string | null, to: string): boolean {
  return from !== null && rooms.get(from)?.enrol_year !== rooms.get(to)?.enrol_year
}
