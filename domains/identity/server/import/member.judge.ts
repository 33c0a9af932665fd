import { identityErrors } from '@campus/identity/contract'
import { Refusal } from '@kit/contract'
import { isSameName, nameKey, numberKey } from '@kit/contract/checks'
import type { Issue, Judgement, ParsedRow } from '@kit/server/excel'
import { changedSpan, newSpan } from '../member.days.ts'
import type { Span } from '../member.days.ts'
import { endOfDay, lastDay, schoolDay, startOfDay } from '../school-day.ts'
import type { ParsedMember } from './member.parsed.ts'
import { memberKey } from './member.snapshot.ts'
import type { MemberSnapshot, OpenMember } from './member.snapshot.ts'

/** Whose membership of which role a line is about, and the interval it asks for. */
export type Aim = { role_id: string; user_id: string; user_dep: string; had: OpenMember | undefined; span: Span }

const own_dept = '1'
const beginning_errors: readonly string[] = [identityErrors.memberPast.msg, identityErrors.memberBegun.msg]

/** What importing a line would do: a new membership, other days or another note of one that is there, or nothing. */
export function judgeMember({ parsed }: ParsedRow<ParsedMember>, snapshot: MemberSnapshot): Judgement {
  const { aim, errors } = aimOf(parsed, snapshot)
  const had = aim?.had
  if (!aim || !had) return { verdict: 'new', target_id: null, basis: null, diff: [], errors, warnings: [] }
  const diff = changesOf(parsed, had, aim.span)
  const ahead = had.valid_from > snapshot.now && parsed.valid_from === undefined
  const warnings = ahead ? [{ prop: 'valid_from', msg: `该人员的此角色将于${schoolDay(had.valid_from)}开始` }] : []
  const own = had.role_no === snapshot.own_role_no && diff.length > 0 ? [{ prop: 'user_no', msg: identityErrors.ownRole.msg }] : []
  return { verdict: diff.length > 0 ? 'change' : 'same', target_id: had.role_no, basis: String(had.row_version), diff, errors: [...errors, ...own], warnings }
}

/** Finds role, person, department and the membership a line means; what is not found is said. */
export function aimOf(parsed: ParsedMember, snapshot: MemberSnapshot): { aim: Aim | null; errors: Issue[] } {
  const errors: Issue[] = []
  const role = roleOf(parsed, snapshot, errors)
  const person = snapshot.people.get(numberKey(parsed.user_no))
  if (!person) errors.push({ prop: 'user_no', msg: '人员不存在' })
  else if (!isSameName(person.user_name, parsed.user_name)) errors.push({ prop: 'user_name', msg: '姓名与编号不一致' })
  const user_dep = parsed.dept_path === '' ? own_dept : snapshot.depts.get(nameKey(parsed.dept_path))
  if (user_dep === undefined) errors.push({ prop: 'dept_path', msg: '部门不存在' })
  if (!role || !person || user_dep === undefined) return { aim: null, errors }
  const who = { role_id: role.role_id, user_id: person.user_id, user_dep }
  const had = meant(parsed, snapshot.members.get(memberKey(who)) ?? [], snapshot.now)
  const span = spanOf(parsed, had, snapshot.now, errors)
  return { aim: span && { ...who, had, span }, errors }
}

function roleOf({ role_name }: ParsedMember, { roles }: MemberSnapshot, errors: Issue[]) {
  const [role, ...more] = roles.get(nameKey(role_name)) ?? []
  const msg = !role ? '角色不存在' : more.length > 0 ? '有多个同名角色，请先修改角色名称' : role.fault
  if (msg !== null) errors.push({ prop: 'role_name', msg })
  return role
}

/** The membership whose interval the wanted one meets; the exclusion constraint admits no second one there. */
function meant({ valid_from, valid_to }: ParsedMember, open: readonly OpenMember[], now: Date): OpenMember | undefined {
  const from = valid_from === undefined ? now : startOfDay(valid_from)
  const until = valid_to ? endOfDay(valid_to) : null
  return open.find(one => (until === null || one.valid_from < until) && (one.valid_to === null || one.valid_to > from))
}

function spanOf({ valid_from, valid_to }: ParsedMember, had: OpenMember | undefined, now: Date, errors: Issue[]): Span | null {
  // The line itself has been told already that its days are the wrong way round.
  if (valid_from && valid_to && valid_to < valid_from) return null
  try {
    return had ? changedSpan(had, { valid_from, valid_to }, now) : newSpan({ valid_from, valid_to }, now)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const prop = beginning_errors.includes(error.message) ? 'valid_from' : 'valid_to'
    if (!errors.some(issue => issue.prop === prop)) errors.push({ prop, msg: error.message })
    return null
  }
}

function changesOf({ reason }: ParsedMember, had: OpenMember, span: Span): Judgement['diff'] {
  const noted = reason === undefined ? had.reason : reason
  const told = [
    { prop: 'valid_from', before: schoolDay(had.valid_from), after: schoolDay(span.valid_from) },
    { prop: 'valid_to', before: endText(had.valid_to), after: endText(span.valid_to) },
    { prop: 'reason', before: had.reason ?? '', after: noted ?? '' },
  ]
  return told.filter(({ before, after }) => before !== after)
}

function endText(valid_to: Date | null): string {
  return lastDay(valid_to) ?? '长期'
}
