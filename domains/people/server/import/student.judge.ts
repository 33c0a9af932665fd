import type { Issue, Judgement, ParsedRow } from '@campus/jobs/server'
import { peopleErrors } from '@campus/people/contract'
import { isSameName, numberKey } from '@kit/contract/checks'
import { readExt } from '../field/ext.ts'
import { customChanges, handIssues } from './custom.ts'
import { judgeGuardians } from './guardian.judge.ts'
import { shownValue } from './field.ts'
import { student_columns } from './student.columns.ts'
import { classTally, mobileTally } from './student.parsed.ts'
import type { ParsedStudent } from './student.parsed.ts'
import type { KnownPupil, StudentSnapshot } from './student.snapshot.ts'

type Change = Judgement['diff'][number]
type Counted = (name: string) => number

const parent_number = /^P[0-9]+$/i

/** What importing a line of the pupil sheet would do. */
export function judgeStudent({ parsed }: ParsedRow<ParsedStudent>, snapshot: StudentSnapshot, counted: Counted): Judgement {
  const target = findTarget(parsed, snapshot)
  return target ? judgeKnown(parsed, target, snapshot, counted) : judgeNew(parsed, snapshot, counted)
}

/** Match order: 学籍号, identity document, 学号 (chapter 20 §6). */
export function findTarget({ values, id_idx }: ParsedStudent, snapshot: StudentSnapshot): KnownPupil | undefined {
  const by_roll = values.school_roll_no ? snapshot.by_roll.get(values.school_roll_no) : undefined
  const by_id = id_idx ? snapshot.by_id.get(id_idx) : undefined
  return by_roll ?? by_id ?? (values.student_no ? snapshot.by_no.get(numberKey(values.student_no)) : undefined)
}

function judgeNew(parsed: ParsedStudent, snapshot: StudentSnapshot, counted: Counted): Judgement {
  const guardians = judgeGuardians(parsed, null, [], snapshot)
  return {
    verdict: 'new',
    target_id: null,
    basis: null,
    diff: [],
    errors: [...parsed.missing, ...handIssues(snapshot.words.custom, parsed.values, {}), ...takenIssues(parsed, null, snapshot), ...guardians.errors],
    warnings: [...sizeIssues(parsed, snapshot, counted), ...mobileIssues(parsed, counted)],
  }
}

function judgeKnown(parsed: ParsedStudent, target: KnownPupil, snapshot: StudentSnapshot, counted: Counted): Judgement {
  const links = snapshot.links.get(target.user_id) ?? []
  const guardians = judgeGuardians(parsed, target, links, snapshot)
  const ext = readExt(target.ext, snapshot.words.custom)
  const own = customChanges(snapshot.words.custom, parsed.values, ext)
  const diff = [...fieldChanges(parsed, target, snapshot), ...own, ...guardians.diff]
  return {
    verdict: diff.length > 0 ? 'change' : 'same',
    target_id: target.user_id,
    basis: `v${target.row_version}`,
    diff,
    errors: [...rollIssues(parsed, target, snapshot), ...handIssues(snapshot.words.custom, parsed.values, ext), ...takenIssues(parsed, target, snapshot), ...guardians.errors],
    warnings: [...classIssues(parsed, target, snapshot), ...mobileIssues(parsed, counted)],
  }
}

/** A pupil who has left comes back by 返校, and nobody touches a pupil of somebody else's class. */
function rollIssues({ values, id_idx }: ParsedStudent, target: KnownPupil, { scope }: StudentSnapshot): Issue[] {
  if (target.state === null) {
    const same_person = id_idx !== null && target.id_no_idx?.toString('hex') === id_idx
    const by_number = !same_person && values.school_roll_no !== target.school_roll_no
    return [by_number ? { prop: 'student_no', msg: peopleErrors.studentNoTaken.msg } : { prop: 'id_no', msg: '该证件号属于离校人员，请办理返校' }]
  }
  if (scope === 'all' || (target.dept_id !== null && scope.includes(target.dept_id))) return []
  return [{ prop: '', msg: '该学生不在您的管理范围内' }]
}

/** Numbers that belong to somebody else. */
function takenIssues({ values, id_idx }: ParsedStudent, target: KnownPupil | null, snapshot: StudentSnapshot): Issue[] {
  const issues: Issue[] = []
  const { student_no, school_roll_no } = values
  const by_no = student_no ? snapshot.by_no.get(numberKey(student_no)) : undefined
  const by_roll = school_roll_no ? snapshot.by_roll.get(school_roll_no) : undefined
  const owner = id_idx ? snapshot.id_owners.get(id_idx) : undefined
  if (by_no && by_no.user_id !== target?.user_id) issues.push({ prop: 'student_no', msg: peopleErrors.studentNoTaken.msg })
  if (by_roll && by_roll.user_id !== target?.user_id) issues.push({ prop: 'school_roll_no', msg: peopleErrors.studentNoTaken.msg })
  if (owner !== undefined && owner !== target?.user_id) issues.push({ prop: 'id_no', msg: peopleErrors.idNoTaken.msg })
  const is_foreign = student_no && (snapshot.teacher_nos.has(numberKey(student_no)) || parent_number.test(student_no))
  if (is_foreign) issues.push({ prop: 'student_no', msg: peopleErrors.userNoTaken.msg })
  return issues
}

function fieldChanges({ values, id_idx }: ParsedStudent, target: KnownPupil, { words }: StudentSnapshot): Change[] {
  return student_columns.flatMap(column => {
    const after = values[column.prop]
    if (after === undefined || (column.home !== 'person' && column.home !== 'student')) return []
    if (column.prop === 'id_no') return idNoChange(after, id_idx, target)
    const before = storedValue(target, column.prop)
    if (sameValue(column, before, after)) return []
    const name = (code: string) => ('dict' in column ? words.names.get(column.dict)?.get(code) : column.kind === 'division' ? words.divisions.names.get(code) : undefined)
    return [{ prop: column.prop, before: shownValue(column.prop, before ?? '', name(before ?? '')), after: shownValue(column.prop, after ?? '', name(after ?? '')) }]
  })
}

function idNoChange(after: string | null, id_idx: string | null, target: KnownPupil): Change[] {
  if (id_idx === (target.id_no_idx?.toString('hex') ?? null)) return []
  return [{ prop: 'id_no', before: target.id_no_mask ?? '', after: shownValue('id_no', after ?? '', undefined) }]
}

/** The stored value of a column as the sheet would give it. */
function storedValue(target: KnownPupil, prop: string): string | null {
  if (prop === 'by_bus') return target.by_bus ? '1' : '0'
  const value = Object.entries(target).find(([name]) => name === prop)?.[1]
  return typeof value === 'string' ? value : null
}

function sameValue({ kind, prop }: { kind: string; prop: string }, before: string | null, after: string | null): boolean {
  if (before !== null && after !== null && prop === 'user_name') return isSameName(before, after)
  if (before !== null && after !== null && prop === 'student_no') return numberKey(before) === numberKey(after)
  if (kind === 'decimal' && before !== null && after !== null) return Number(before) === Number(after)
  return before === after
}

function classIssues(parsed: ParsedStudent, target: KnownPupil, { words }: StudentSnapshot): Issue[] {
  if (!parsed.class || target.dept_id === null || parsed.class.dept_id === target.dept_id) return []
  const label = words.classes.find(one => one.dept_id === target.dept_id)?.label ?? '其他班级'
  return [{ prop: 'class_name', msg: `已在${label}，调班请使用调班功能` }]
}

/** The class will hold at least those who are in it and this one, and at least as many as the file names. */
function sizeIssues(parsed: ParsedStudent, { class_sizes }: StudentSnapshot, counted: Counted): Issue[] {
  if (!parsed.class || parsed.class.capacity === null) return []
  const size = Math.max((class_sizes.get(parsed.class.dept_id) ?? 0) + 1, counted(classTally(parsed.class)))
  return size > parsed.class.capacity ? [{ prop: 'class_name', msg: '班级人数将超过上限' }] : []
}

/** Two names under one mobile of the file: only the first of them can be imported. */
function mobileIssues({ guardians }: ParsedStudent, counted: Counted): Issue[] {
  return guardians
    .filter(({ mobile, user_name }) => counted(mobileTally(mobile)) > counted(mobileTally(mobile, user_name)))
    .map(({ slot }) => ({ prop: `p${slot}_mobile`, msg: '文件内该手机号对应多个姓名，只能导入其中一个' }))
}
