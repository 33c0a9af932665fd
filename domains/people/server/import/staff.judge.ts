import type { Issue, Judgement, ParsedRow } from '@campus/jobs/server'
import { peopleErrors, staff_states } from '@campus/people/contract'
import { isSameName, numberKey } from '@kit/contract/checks'
import { readExt } from '../field/ext.ts'
import { customChanges, handIssues } from './custom.ts'
import { shownValue } from './field.ts'
import { staff_columns } from './staff.columns.ts'
import type { ParsedStaff } from './staff.parsed.ts'
import type { KnownTeacher, StaffSnapshot } from './staff.snapshot.ts'

type Change = Judgement['diff'][number]

const parent_number = /^P[0-9]+$/i
const not_here = '只能导入在职、延聘、待退休或返聘的教职工'

/** What importing a line of the staff sheet would do. */
export function judgeTeacher({ parsed }: ParsedRow<ParsedStaff>, snapshot: StaffSnapshot): Judgement {
  const target = findTeacher(parsed, snapshot)
  return target ? judgeKnown(parsed, target, snapshot) : judgeNew(parsed, snapshot)
}

/** Match order: 工号, mobile (chapter 20 §6); a mobile under another name means nobody (rule 16). */
export function findTeacher({ values }: ParsedStaff, snapshot: StaffSnapshot): KnownTeacher | undefined {
  const by_no = values.teacher_no ? snapshot.by_no.get(numberKey(values.teacher_no)) : undefined
  if (by_no) return by_no
  const holder = values.mobile ? snapshot.holders.get(values.mobile) : undefined
  return holder && (!values.user_name || isSameName(values.user_name, holder.user_name)) ? snapshot.by_user.get(holder.user_id) : undefined
}

/** Somebody of the school who becomes staff by this line: the same mobile and name, no staff yet and no pupil. */
export function joiningPerson({ values }: ParsedStaff, { holders, pupils, by_user }: StaffSnapshot): string | null {
  const holder = values.mobile ? holders.get(values.mobile) : undefined
  return holder && isSameName(holder.user_name, values.user_name ?? '') && !pupils.has(holder.user_id) && !by_user.has(holder.user_id) ? holder.user_id : null
}

function judgeNew(parsed: ParsedStaff, snapshot: StaffSnapshot): Judgement {
  const joins = joiningPerson(parsed, snapshot)
  const { state } = parsed.values
  const away = state && !isHere(state) ? [{ prop: 'state', msg: not_here }] : []
  return { verdict: 'new', target_id: null, basis: joins === null ? null : `j${joins}`, diff: [], errors: [...parsed.missing, ...handIssues(snapshot.words.custom, parsed.values, {}), ...away, ...takenIssues(parsed, joins, snapshot)], warnings: [] }
}

function judgeKnown(parsed: ParsedStaff, target: KnownTeacher, snapshot: StaffSnapshot): Judgement {
  const ext = readExt(target.ext, snapshot.words.custom)
  const own = customChanges(snapshot.words.custom, parsed.values, ext)
  const diff = [...fieldChanges(parsed, target, snapshot), ...own, ...plateChange(parsed, target)]
  return {
    verdict: diff.length > 0 ? 'change' : 'same',
    target_id: target.user_id,
    basis: `v${target.row_version}`,
    diff,
    errors: [...reachIssues(parsed, target, snapshot), ...handIssues(snapshot.words.custom, parsed.values, ext), ...takenIssues(parsed, target.user_id, snapshot)],
    warnings: [...deptIssues(parsed, target, snapshot), ...stateIssues(parsed, target, snapshot)],
  }
}

function isHere(state: string): boolean {
  return staff_states.some(one => one === state)
}

/** Who has left comes back by 返聘, and nobody touches staff of somebody else's departments. */
function reachIssues({ values }: ParsedStaff, { state, dept_ids, teacher_no }: KnownTeacher, { scope }: StaffSnapshot): Issue[] {
  if (state === null) return [{ prop: numberKey(values.teacher_no ?? '') === numberKey(teacher_no) ? 'teacher_no' : 'mobile', msg: peopleErrors.staffDeparted.msg }]
  return scope === 'all' || dept_ids.some(id => scope.includes(id)) ? [] : [{ prop: '', msg: '该教职工不在您的管理范围内' }]
}

/** Numbers and plates that belong to somebody else. */
function takenIssues({ values, id_idx }: ParsedStaff, mine: string | null, snapshot: StaffSnapshot): Issue[] {
  const issues: Issue[] = []
  const { teacher_no, mobile, plate } = values
  const holder = mobile ? snapshot.holders.get(mobile) : undefined
  const owner = id_idx ? snapshot.id_owners.get(id_idx) : undefined
  const driver = plate ? snapshot.plate_owners.get(plate) : undefined
  if (teacher_no && (snapshot.student_nos.has(numberKey(teacher_no)) || parent_number.test(teacher_no))) issues.push({ prop: 'teacher_no', msg: peopleErrors.userNoTaken.msg })
  if (holder && holder.user_id !== mine) issues.push({ prop: 'mobile', msg: peopleErrors.mobileTaken.msg })
  if (owner !== undefined && owner !== mine) issues.push({ prop: 'id_no', msg: peopleErrors.idNoTaken.msg })
  if (driver !== undefined && driver !== mine) issues.push({ prop: 'plate', msg: peopleErrors.plateTaken.msg })
  return issues
}

function fieldChanges({ values, id_idx }: ParsedStaff, target: KnownTeacher, { words }: StaffSnapshot): Change[] {
  return staff_columns.flatMap(column => {
    const after = values[column.prop]
    if (after === undefined || (column.home !== 'person' && column.home !== 'staff')) return []
    if (column.prop === 'id_no') return idNoChange(after, id_idx, target)
    const before = target[column.prop]
    if (before === after || isWrittenAlike(column.prop, before, after)) return []
    const name = (code: string) => ('dict' in column ? words.names.get(column.dict)?.get(code) : undefined)
    return [{ prop: column.prop, before: shownValue(column.prop, before ?? '', name(before ?? '')), after: shownValue(column.prop, after ?? '', name(after ?? '')) }]
  })
}

/** A name or number that is only written in another way stays as it is. */
function isWrittenAlike(prop: string, before: string | null, after: string | null): boolean {
  if (before === null || after === null) return false
  return prop === 'user_name' ? isSameName(before, after) : prop === 'teacher_no' && numberKey(before) === numberKey(after)
}

function idNoChange(after: string | null, id_idx: string | null, target: KnownTeacher): Change[] {
  if (id_idx === (target.id_no_idx?.toString('hex') ?? null)) return []
  return [{ prop: 'id_no', before: target.id_no_mask ?? '', after: shownValue('id_no', after ?? '', undefined) }]
}

/** The plates of somebody known once the line is imported: one more, or none by [清空]; null when nothing changes. */
export function platesAfter({ values }: ParsedStaff, { plates }: KnownTeacher): string[] | null {
  const { plate } = values
  if (plate === undefined) return null
  if (plate === null) return plates.length > 0 ? [] : null
  return plates.includes(plate) ? null : [...plates, plate]
}

function plateChange(parsed: ParsedStaff, target: KnownTeacher): Change[] {
  const after = platesAfter(parsed, target)
  return after === null ? [] : [{ prop: 'plate', before: target.plates.join('；'), after: after.join('；') }]
}

function deptIssues({ depts }: ParsedStaff, { dept_ids }: KnownTeacher, { words }: StaffSnapshot): Issue[] {
  if (depts.length === 0 || (depts.length === dept_ids.length && depts[0]?.dept_id === dept_ids[0] && depts.every(one => dept_ids.includes(one.dept_id)))) return []
  const labels = dept_ids.map(id => words.depts.find(one => one.dept_id === id)?.label ?? '其他部门')
  return [{ prop: 'dept', msg: `已在${labels.join('、')}，导入不调部门，请使用调部门功能` }]
}

function stateIssues({ values: { state } }: ParsedStaff, target: KnownTeacher, { words }: StaffSnapshot): Issue[] {
  if (!state || target.state === null || state === target.state) return []
  return [{ prop: 'state', msg: `当前为${words.names.get('STAFF_STATE')?.get(target.state) ?? ''}，导入不改状态，请使用离职或返聘功能` }]
}
