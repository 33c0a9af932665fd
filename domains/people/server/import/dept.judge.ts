import type { Issue, Judgement, ParsedRow } from '@campus/jobs/server'
import { peopleErrors } from '@campus/people/contract'
import { nameKey, numberKey } from '@kit/contract/checks'
import { class_type, mayStand } from '../dept.rules.ts'
import type { ParsedDept } from './dept.parsed.ts'
import type { DeptSnapshot, KnownDept } from './dept.snapshot.ts'

type Change = Judgement['diff'][number]
type Counted = (name: string) => number

const deputy = 'vice_head'
/** Counts the lines that are judged together: all of the file, or the one that is mended. */
const lines = 'lines'

/** What is counted over the whole file: which departments it names. */
export function deptTally({ path }: ParsedDept): string[] {
  return [lines, `path:${nameKey(path)}`]
}

/** What importing a line of the department sheet would do; the path tells which department it means (chapter 20 §6). */
export function judgeDept({ parsed }: ParsedRow<ParsedDept>, snapshot: DeptSnapshot, counted: Counted): Judgement {
  const known = snapshot.by_path.get(nameKey(parsed.path))
  const leaders = leaderIssues(parsed, snapshot)
  if (!known) {
    const { errors, warnings } = placeIssues(parsed, snapshot, counted)
    return { verdict: 'new', target_id: null, basis: null, diff: [], errors: [...errors, ...leaders], warnings }
  }
  const diff = changesOf(parsed, known, snapshot)
  return { verdict: diff.length > 0 ? 'change' : 'same', target_id: known.id, basis: `v${known.row_version}`, diff, errors: [...typeIssues(parsed, known), ...leaders], warnings: cohortIssues(parsed, known) }
}

/** Where a new department would stand: under one that is there, or one that the file makes too. */
function placeIssues({ parent_path, dept_type }: ParsedDept, { by_path, planned }: DeptSnapshot, counted: Counted): { errors: Issue[]; warnings: Issue[] } {
  const parent = by_path.get(nameKey(parent_path)) ?? planned.get(nameKey(parent_path))
  if (parent && !mayStand(dept_type, parent.dept_type)) return { errors: [{ prop: 'parent_path', msg: (dept_type === class_type ? peopleErrors.deptParentType : peopleErrors.deptPlace).msg }], warnings: [] }
  if (parent || counted(`path:${nameKey(parent_path)}`) > 0) return { errors: [], warnings: [] }
  // A line that is mended is judged alone: what the others make is not known then.
  if (counted(lines) === 1) return { errors: [], warnings: [{ prop: 'parent_path', msg: `上级部门“${parent_path}”还不存在，须由本表其他行新建，否则该行不会导入` }] }
  return { errors: [{ prop: 'parent_path', msg: `部门不存在：${parent_path}` }], warnings: [] }
}

function typeIssues({ dept_type }: ParsedDept, known: KnownDept): Issue[] {
  return dept_type === known.dept_type ? [] : [{ prop: 'dept_type', msg: '该路径已有其他类型的部门' }]
}

function cohortIssues({ grade, enrol_year }: ParsedDept, known: KnownDept): Issue[] {
  const issues: Issue[] = []
  if (grade && known.grade !== grade) issues.push({ prop: 'grade', msg: '导入不改年级，请使用学年升级' })
  if (enrol_year !== undefined && known.enrol_year !== enrol_year) issues.push({ prop: 'enrol_year', msg: '导入不改入学年份' })
  return issues
}

function leaderIssues({ head_no, vice_nos = [] }: ParsedDept, { staff }: DeptSnapshot): Issue[] {
  const msg = (no: string) => `工号不存在或不在职：${no}`
  const head = head_no && !staff.has(numberKey(head_no)) ? [{ prop: 'head_no', msg: msg(head_no) }] : []
  return [...head, ...vice_nos.filter(no => !staff.has(numberKey(no))).slice(0, 1).map(no => ({ prop: 'vice_no', msg: msg(no) }))]
}

/** Everything the line changes about a department that is there, as texts for the eye. */
function changesOf(parsed: ParsedDept, known: KnownDept, { words, staff }: DeptSnapshot): Change[] {
  const kind = (code: string | null) => (code === null ? '' : (words.names.get('CLASS_TYPE')?.get(code) ?? code))
  const names = (nos: readonly string[]) => nos.map(no => staff.get(numberKey(no))?.user_name ?? no).join('、')
  const ids = (nos: readonly string[]) => nos.flatMap(no => staff.get(numberKey(no))?.user_id ?? [])
  const head = known.leaders.filter(leader => leader.duty !== deputy).slice(0, 1)
  const vices = known.leaders.filter(leader => leader.duty === deputy)
  const changes: (Change | null)[] = [
    parsed.class_type === undefined || parsed.class_type === known.class_type ? null : { prop: 'class_type', before: kind(known.class_type), after: kind(parsed.class_type) },
    parsed.head_no === undefined ? null : leaderChange('head_no', head, { ids: ids(parsed.head_no === null ? [] : [parsed.head_no]), names: names(parsed.head_no === null ? [] : [parsed.head_no]) }),
    parsed.vice_nos === undefined ? null : leaderChange('vice_no', vices, { ids: ids(parsed.vice_nos), names: names(parsed.vice_nos) }),
    remarkChange(parsed, known),
  ]
  return changes.filter(change => change !== null)
}

function leaderChange(prop: string, now: readonly { user_id: string; user_name: string }[], wanted: { ids: string[]; names: string }): Change | null {
  const same = now.length === wanted.ids.length && now.every(person => wanted.ids.includes(person.user_id))
  return same ? null : { prop, before: now.map(person => person.user_name).join('、'), after: wanted.names }
}

function remarkChange({ remarks }: ParsedDept, known: KnownDept): Change | null {
  if (remarks === undefined) return null
  const before = [...known.remarks.values()].join('；')
  if (remarks === null) return known.remarks.size === 0 ? null : { prop: 'remark', before, after: '' }
  const after = new Map([...known.remarks, ...Object.entries(remarks)])
  return Object.entries(remarks).every(([id, value]) => known.remarks.get(id) === value) ? null : { prop: 'remark', before, after: [...after.values()].join('；') }
}
