import type { BoardGrade, DeptDraft, DeptFile, DeptPatch, DeptTreeNode } from '@campus/people/contract'
import type { Division } from './board.ts'
import { className, nextClassNo } from './class-names.ts'
import { classWord, dept_types, enrolYearOf, gradeName, gradesOf, schoolYearOf } from './dept-place.ts'

type Kept<T> = T | null | undefined
/** What the form of a department holds. */
export type DeptValues = {
  parent_id: string | null
  dept_name: string
  stage?: Kept<string>
  grade?: Kept<string>
  enrol_year?: Kept<number>
  class_no?: Kept<number>
  class_type?: Kept<string>
  capacity?: Kept<number>
  code?: Kept<string>
  head_user_id?: Kept<string>
  vice_user_ids: string[]
  /** by remark field */
  remarks?: Record<string, Kept<string>>
  effective_on: string
}
/** Facts of a known department that the form changes; the others are told when it is made. */
const patched = ['parent_id', 'dept_name', 'class_type', 'capacity', 'code', 'head_user_id', 'vice_user_ids', 'remarks'] as const
type Patched = (typeof patched)[number]

const usual_stage = '1'

/** The form of a known department. */
export function valuesOf(file: DeptFile, today: string): DeptValues {
  const { parent_id, dept_name, stage, grade, enrol_year, class_no, class_type, capacity, code, head, vices, remarks } = file
  return { parent_id, dept_name, stage, grade, enrol_year, class_no, class_type, capacity, code, head_user_id: head?.user_id ?? null, vice_user_ids: vices.map(vice => vice.user_id), remarks, effective_on: today }
}

/** What a new department of this kind begins with under this parent: the next grade of a division, the next class of a grade. */
export function newValues(dept_type: number, parent: DeptTreeNode, board: readonly Division[], today: string): DeptValues {
  const empty = { parent_id: parent.id, dept_name: '', vice_user_ids: [], effective_on: today }
  if (dept_type === dept_types.grade) return { ...empty, ...nextGrade(parent, board, today) }
  const grade = board.flatMap(division => division.grades).find(one => one.id === parent.id)
  return dept_type === dept_types.class && grade ? { ...empty, ...nextClass(grade) } : empty
}

function nextGrade(parent: DeptTreeNode, board: readonly Division[], today: string): Partial<DeptValues> & { dept_name: string } {
  const there = board.find(division => division.id === parent.id)?.grades ?? []
  const stage = there[0]?.stage ?? stageOfName(parent.dept_name)
  const grade = gradesOf(stage).find(code => there.every(one => one.grade !== code))
  if (grade === undefined) return { dept_name: '', stage }
  return { dept_name: gradeName(grade), stage, grade, enrol_year: enrolYearOf(grade, schoolYearOf(today)) }
}

function nextClass(grade: BoardGrade): Partial<DeptValues> & { dept_name: string } {
  const class_no = nextClassNo(grade.classes)
  return { dept_name: className(classWord(grade), class_no), class_no, capacity: grade.classes.at(-1)?.capacity }
}

const stage_words: readonly (readonly [string, string])[] = [['幼', '0'], ['小学', '1'], ['初', '2'], ['高', '3'], ['职', '4']]

/** The stage that a division's name tells: 初中部 is stage 2. */
export function stageOfName(name: string): string {
  return stage_words.find(([word]) => name.includes(word))?.[1] ?? usual_stage
}

/** What is sent of a new department; blanks are left out. */
export function draftOf(dept_type: number, values: DeptValues): DeptDraft {
  const { parent_id: _, dept_name, vice_user_ids, head_user_id, effective_on, remarks, ...facts } = values
  const filled = Object.fromEntries(Object.entries(facts).filter(([, value]) => !isBlank(value)))
  const heads = { ...(isBlank(head_user_id) ? {} : { head_user_id }), ...(vice_user_ids.length > 0 ? { vice_user_ids } : {}) }
  const said = filledRemarks(remarks)
  return { ...filled, ...heads, ...(Object.keys(said).length > 0 ? { remarks: said } : {}), dept_name: dept_name.trim(), dept_type, effective_on }
}

/** The facts that were changed since the department was read; null when none was. */
export function patchOf(before: DeptValues, now: DeptValues): Omit<DeptPatch, 'row_version'> | null {
  const changed = changedOf(before, now)
  if (changed.length === 0) return null
  const facts = Object.fromEntries(changed.map(fact => [fact, sentOf(now, fact)]))
  return { ...facts, ...(changed.includes('remarks') ? { remarks: changedRemarks(before.remarks, now.remarks) } : {}), effective_on: now.effective_on }
}

function changedOf(before: DeptValues, now: DeptValues): Patched[] {
  return patched.filter(fact => JSON.stringify(sentOf(before, fact)) !== JSON.stringify(sentOf(now, fact)))
}

function sentOf(values: DeptValues, fact: Patched): unknown {
  const value = values[fact]
  if (fact === 'dept_name') return values.dept_name.trim()
  if (fact === 'vice_user_ids') return values.vice_user_ids.toSorted()
  if (fact === 'remarks') return Object.entries(filledRemarks(values.remarks)).map(said => said.join(':')).toSorted()
  return isBlank(value) ? null : value
}

/** What is said of the remarks, blanks left out. */
function filledRemarks(remarks: DeptValues['remarks'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(remarks).flatMap(([id, value]) => (value ? [[id, value] as const] : [])))
}

/** Remarks that are other than before; null where one was emptied. */
function changedRemarks(before: DeptValues['remarks'] = {}, now: DeptValues['remarks'] = {}): Record<string, string | null> {
  return Object.fromEntries([...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap(id => ((before[id] || null) === (now[id] || null) ? [] : [[id, now[id] || null] as const])))
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

export type Difference = { field: string; label: string; mine: string | null; theirs: string }
/** How values are written out: names for ids and codes. */
export type Words = Partial<Record<Patched, (value: string) => string>>

const labels: Record<Patched, string> = { parent_id: '上级部门', dept_name: '名称', class_type: '班级类型', capacity: '人数上限', code: '编码', head_user_id: '负责人', vice_user_ids: '副职', remarks: '备注' }

/** Field by field: what somebody else has changed, and what I have. `mine` null: not changed by me. */
export function differencesOf(before: DeptValues, mine: DeptValues, theirs: DeptValues, words: Words): Difference[] {
  const by_me = changedOf(before, mine)
  const touched = patched.filter(fact => by_me.includes(fact) || changedOf(before, theirs).includes(fact))
  return touched.map(field => ({ field, label: labels[field], mine: by_me.includes(field) ? told(mine, field, words) : null, theirs: told(theirs, field, words) }))
}

function told(values: DeptValues, fact: Patched, words: Words): string {
  const value = sentOf(values, fact)
  const write = words[fact] ?? String
  if (Array.isArray(value)) return value.map(one => write(String(one))).join('、')
  return value === null ? '' : write(String(value))
}
