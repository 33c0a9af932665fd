import type { UpgradeAction, UpgradeTotals, UpgradeUnmapped } from '@campus/people/contract'
import { class_type, className, grade_type } from '../dept.rules.ts'
import { cohortsOf, endYear } from './decide.ts'
import type { Choice, Decided, PersonChoice } from './decide.ts'
import { gradeAfter, nextGrade, nextStageGrade, renamed, wordOf } from './grade.ts'
import { hashOf } from './snapshot.ts'
import type { SnapDept, SnapPupil, Snapshot } from './snapshot.ts'

/** A department that goes on under another name and grade. */
type Renewal = { dept_id: string; dept_name: string; grade: string | null; show_order: number }
/** A department that the promotion makes; `parent` the key of another one or the id of a department. */
export type Made = { key: string; parent: string | null; dept_name: string; dept_type: number; grade: string; stage: string; enrol_year: number; class_no: number | null; class_type: string | null; capacity: number | null; show_order: number }
/** Where a pupil goes who does not simply stay in his class; `to` is a department or the key of one that is made. */
export type Move = { user_id: string; kind: 'GRAD' | 'OUT' | 'CLASS'; state: string; from: string; to: string | null }
export type Outcome = {
  base_hash: string
  plan_hash: string
  renewals: Renewal[]
  closings: string[]
  made: Made[]
  moves: Move[]
  unmapped: UpgradeUnmapped[]
  totals: UpgradeTotals
  /** pupils of every department or key after the promotion */
  sizes: ReadonlyMap<string, number>
}

const pool_name = '待分班'
const suspended = '02'
const ends: readonly (UpgradeAction | null)[] = ['GRADUATE', 'CONTINUE', 'CLOSE']
/** What a class may do while its grade does that. */
const fitting: Readonly<Record<UpgradeAction, readonly UpgradeAction[]>> = {
  UPGRADE: ['UPGRADE', 'CLOSE'], GRADUATE: ['GRADUATE', 'CLOSE'], CONTINUE: ['CONTINUE', 'GRADUATE', 'CLOSE'], HOLD: ['HOLD', 'CLOSE'], CLOSE: ['CLOSE'],
}

/** The snapshot with what was chosen, looked up by id. */
type Table = { snapshot: Snapshot; decided: Decided; depts: ReadonlyMap<string, SnapDept>; choices: ReadonlyMap<string, Choice>; people: ReadonlyMap<string, PersonChoice> }

/** What a plan makes of a school: a pure function of the two (chapter 20 rules 5 and 6). */
export function simulate(snapshot: Snapshot, decided: Decided): Outcome {
  const table: Table = {
    snapshot, decided,
    depts: new Map(snapshot.depts.map(dept => [dept.dept_id, dept])),
    choices: new Map(decided.items.map(item => [item.dept_id, item])),
    people: new Map(decided.people.map(person => [person.user_id, person])),
  }
  const renewals = cohortsOf(snapshot).filter(dept => actionOf(table, dept.dept_id) === 'UPGRADE').map(dept => renewalOf(table, dept)).toSorted(highestFirst)
  const closings = cohortsOf(snapshot).filter(dept => ends.includes(actionOf(table, dept.dept_id))).map(dept => dept.dept_id)
  const { made, homes } = madeBy(table)
  const moves = snapshot.pupils.flatMap(pupil => moveOf(table, homes, pupil) ?? [])
  const sizes = sizesAfter(snapshot, moves)
  const unmapped = [...cohortsOf(snapshot).flatMap(dept => wrongDept(table, dept, moves)), ...sameNames(table, renewals, closings, made), ...wrongPeople(table, moves)]
  const base_hash = hashOf([snapshot.school_id, snapshot.on, snapshot.depts, snapshot.pupils])
  const plan_hash = hashOf([base_hash, decided.school_year, [...decided.items].toSorted(byDept), [...decided.people].toSorted(byUser), renewals, closings, made, moves, unmapped])
  return { base_hash, plan_hash, renewals, closings, made, moves, unmapped, sizes, totals: totalsOf(table, moves) }
}

function actionOf({ choices }: Table, dept_id: string): UpgradeAction | null {
  return choices.get(dept_id)?.action ?? null
}

function highestFirst(a: Renewal, b: Renewal): number {
  return (b.grade ?? '').localeCompare(a.grade ?? '') || Number(a.dept_id) - Number(b.dept_id)
}
function byDept(a: Choice, b: Choice): number {
  return Number(a.dept_id) - Number(b.dept_id)
}
function byUser(a: PersonChoice, b: PersonChoice): number {
  return Number(a.user_id) - Number(b.user_id)
}

function renewalOf({ choices }: Table, dept: SnapDept): Renewal {
  const grade = nextGrade(dept.grade)
  // The first place is left to the cohort that enters.
  const show_order = dept.dept_type === grade_type ? Math.min(9999, dept.show_order + 1) : dept.show_order
  return { dept_id: dept.dept_id, dept_name: choices.get(dept.dept_id)?.new_name ?? nameAfter(dept, grade), grade, show_order }
}

function nameAfter(dept: SnapDept, grade: string | null): string {
  const word = wordOf(grade)
  const is_numbered = dept.dept_type === class_type && dept.name_auto && dept.class_no !== null && dept.dept_name.startsWith(wordOf(dept.grade) ?? '\0')
  return is_numbered && word !== undefined && dept.class_no !== null ? className(word, dept.class_no) : renamed(dept.dept_name, dept.grade, grade)
}

type MadeBy = { made: Made[]; homes: ReadonlyMap<string, string> }

/** Grades and classes of the next stage for those who go on; `homes`: the class of the new cohort by the class it comes from. */
function madeBy(table: Table): MadeBy {
  const made = new Map<string, Made>()
  const homes = new Map<string, string>()
  for (const grade of cohortsOf(table.snapshot)) {
    const to = nextStageGrade(grade.grade)
    if (grade.dept_type !== grade_type || to === null || actionOf(table, grade.dept_id) !== 'CONTINUE') continue
    const next = newGrade(table, grade, to)
    made.set(next.key, next)
    const choice = table.choices.get(grade.dept_id)
    const classes = cohortsOf(table.snapshot).filter(dept => dept.parent_id === grade.dept_id && actionOf(table, dept.dept_id) === 'CONTINUE')
    for (const dept of classes) {
      const room = newClass(table, next, dept, choice?.is_pool ?? false)
      made.set(room.key, room)
      homes.set(dept.dept_id, room.key)
    }
  }
  return { made: [...made.values()], homes }
}

function newGrade({ snapshot, decided, choices }: Table, from: SnapDept, grade: string): Made {
  const stage = grade.slice(0, 1)
  const division = snapshot.depts.find(dept => dept.dept_type === 2 && dept.stage === stage)
  const parent = division?.dept_id ?? from.parent_id
  const dept_name = choices.get(from.dept_id)?.new_name ?? wordOf(grade) ?? ''
  return { key: `grade ${parent ?? ''} ${dept_name}`, parent, dept_name, dept_type: grade_type, grade, stage, enrol_year: endYear(decided.school_year), class_no: null, class_type: null, capacity: null, show_order: 1 }
}

function newClass({ choices }: Table, grade: Made, from: SnapDept, is_pool: boolean): Made {
  const common = { parent: grade.key, dept_type: class_type, grade: grade.grade, stage: grade.stage, enrol_year: grade.enrol_year }
  if (is_pool) return { ...common, key: `${grade.key} pool`, dept_name: pool_name, class_no: null, class_type: null, capacity: null, show_order: 1 }
  const { class_no, class_type: kind, capacity, show_order } = from
  const dept_name = choices.get(from.dept_id)?.new_name ?? nameAfter(from, grade.grade)
  return { ...common, key: `class ${from.dept_id}`, dept_name, class_no, class_type: kind, capacity, show_order }
}

function moveOf(table: Table, homes: ReadonlyMap<string, string>, { user_id, dept_id, state }: SnapPupil): Move | null {
  const own = { user_id, state, from: dept_id }
  const person = table.people.get(user_id)
  const action = actionOf(table, dept_id)
  if (person?.action === 'OUT') return { ...own, kind: 'OUT', to: null }
  if (person) return { ...own, kind: 'CLASS', to: person.target_dept_id === null ? null : (homes.get(person.target_dept_id) ?? person.target_dept_id) }
  if (action === 'GRADUATE') return { ...own, kind: 'GRAD', to: null }
  return action === 'CONTINUE' ? { ...own, kind: 'CLASS', to: homes.get(dept_id) ?? null } : null
}

function sizesAfter({ pupils }: Snapshot, moves: readonly Move[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  const moving = new Map(moves.map(move => [move.user_id, move]))
  for (const { user_id, dept_id } of pupils) {
    const move = moving.get(user_id)
    const home = move ? move.to : dept_id
    if (home !== null) sizes.set(home, (sizes.get(home) ?? 0) + 1)
  }
  return sizes
}

/** Why a grade or class has no way to go, if so. */
function wrongDept(table: Table, dept: SnapDept, moves: readonly Move[]): UpgradeUnmapped[] {
  const reason = reasonOf(table, dept, moves)
  return reason === null ? [] : [{ dept_id: dept.dept_id, user_id: null, name: dept.dept_name, reason }]
}

function reasonOf(table: Table, dept: SnapDept, moves: readonly Move[]): string | null {
  const action = actionOf(table, dept.dept_id)
  const above = dept.dept_type === class_type ? actionOf(table, dept.parent_id ?? '') : null
  if (action === null) return '未选择去向'
  if (above !== null && !fitting[above].includes(action)) return '与所在年级的去向不一致'
  if (action === 'UPGRADE' && nextGrade(dept.grade) === null) return '没有下一年级，请选择毕业离校或升入下一学段'
  if (action === 'CONTINUE' && nextStageGrade(dept.grade) === null) return '没有下一学段，请选择毕业离校'
  if (action !== 'HOLD' && dept.later) return '之后还有已登记的变更或关闭计划，请先取消'
  if (ends.includes(action) && dept.opened_on >= table.snapshot.on) return '生效日期须晚于该部门的成立日期'
  if (action !== 'CLOSE') return null
  const gone = new Set(moves.filter(move => move.to !== dept.dept_id).map(move => move.user_id))
  const left = table.snapshot.pupils.filter(pupil => pupil.dept_id === dept.dept_id && !gone.has(pupil.user_id)).length
  return left === 0 ? null : `还有${left}名学生，不能关闭`
}

/** Departments that would bear the same name under the same parent. */
function sameNames({ snapshot }: Table, renewals: readonly Renewal[], closings: readonly string[], made: readonly Made[]): UpgradeUnmapped[] {
  const names = new Map(renewals.map(renewal => [renewal.dept_id, renewal.dept_name]))
  const standing = snapshot.depts.filter(dept => !closings.includes(dept.dept_id)).map(dept => ({ dept_id: dept.dept_id, parent: dept.parent_id, name: names.get(dept.dept_id) ?? dept.dept_name }))
  const all = [...standing, ...made.map(dept => ({ dept_id: null, parent: dept.parent, name: dept.dept_name }))]
  const twice = [...Map.groupBy(all, one => `${one.parent ?? ''} ${one.name}`).values()].filter(group => group.length > 1)
  return twice.flatMap(group => group.slice(0, 1).map(({ dept_id, name }) => ({ dept_id, user_id: null, name, reason: '升级后同级下有同名部门，请填写新的名称' })))
}

function wrongPeople(table: Table, moves: readonly Move[]): UpgradeUnmapped[] {
  const pupils = new Map(table.snapshot.pupils.map(pupil => [pupil.user_id, pupil]))
  const later = moves.filter(move => pupils.get(move.user_id)?.later).map(move => ({ dept_id: null, user_id: move.user_id, name: '', reason: '已有未来生效的变更，请先取消或改期' }))
  const wrong = table.decided.people.flatMap(person => {
    const reason = wrongPerson(table, person, pupils.get(person.user_id))
    return reason === null ? [] : [{ dept_id: null, user_id: person.user_id, name: '', reason }]
  })
  return [...later, ...wrong]
}

function wrongPerson(table: Table, { action, target_dept_id }: PersonChoice, pupil: SnapPupil | undefined): string | null {
  if (!pupil) return '学生已不在班级，请移除该例外'
  if (action === 'OUT') return null
  const target = target_dept_id === null ? undefined : table.depts.get(target_dept_id)
  const own = table.depts.get(pupil.dept_id)
  if (target?.dept_type !== class_type) return '请选择要去的班级'
  const to = actionOf(table, target.dept_id)
  if (to === null || to === 'GRADUATE' || to === 'CLOSE') return '所选班级不再开设，请选择其他班级'
  if (target.dept_id === pupil.dept_id) return '所选班级与原班级相同'
  const after = gradeAfter(to, target.grade)
  if (action === 'REPEAT' && after !== own?.grade) return '留级须选择升级后仍为原年级的班级'
  if (action === 'SKIP' && (after ?? '') <= (nextGrade(own?.grade ?? null) ?? nextStageGrade(own?.grade ?? null) ?? '')) return '跳级须选择更高年级的班级'
  return action === 'CLASS' && target.grade !== own?.grade ? '调班须选择同年级的班级' : null
}

function totalsOf({ snapshot, people, choices }: Table, moves: readonly Move[]): UpgradeTotals {
  const count = (wanted: (move: Move) => boolean) => moves.filter(wanted).length
  const said = (move: Move) => people.get(move.user_id)?.action
  const gone = count(move => move.kind !== 'CLASS')
  return {
    before: snapshot.pupils.length,
    after: snapshot.pupils.length - gone,
    graduated: count(move => move.kind === 'GRAD'),
    continued: count(move => said(move) === undefined && choices.get(move.from)?.action === 'CONTINUE'),
    repeated: count(move => said(move) === 'REPEAT'),
    skipped: count(move => said(move) === 'SKIP'),
    moved: count(move => said(move) === 'CLASS' || said(move) === 'STAY'),
    left: count(move => move.kind === 'OUT'),
    suspended: snapshot.pupils.filter(pupil => pupil.state === suspended).length,
  }
}
