import type { ReadStep } from '@campus/jobs/server'
import { GRADE } from '@campus/people/contract'
import { nameKey } from '@kit/contract/checks'
import type { Kysely } from 'kysely'
import { schoolDay } from '../day.ts'
import { validOn } from '../dated.ts'
import type { Db, PeopleDb } from '../db.ts'
import { deptLabel, ownName } from '../dept.label.ts'
import { nameFormat } from '../dept.queries.ts'
import { fieldsFor } from '../field/ext.ts'
import type { LiveField } from '../field/ext.ts'
import type { IdKeys } from '../id-number.ts'
import { visibleDepts } from '../scope.ts'
import type { DeptScope } from '../scope.ts'
import { sheetFields } from './custom.ts'
import { divisions } from './divisions.ts'
import type { Field, FieldWords } from './field.ts'
import { student_columns } from './student.columns.ts'

/** A class as a sheet may name it. */
export type ClassWord = {
  dept_id: string
  grade: string | null
  stage: string | null
  own_name: string
  dept_name: string
  /** whole path from the school down */
  path: string
  label: string
  capacity: number | null
}

/** What reading a sheet of people depends on. */
export type PeopleWords = FieldWords & {
  /** type → code → name */
  names: ReadonlyMap<string, ReadonlyMap<string, string>>
  classes: readonly ClassWord[]
  scope: DeptScope
  keys: IdKeys
}

/** Reads dictionaries and classes for these fields; a class outside the importer's scope does not exist for him. */
export async function readWords(step: ReadStep<PeopleDb>, fields: readonly Field[]): Promise<PeopleWords> {
  const said = await fieldWords(step, fields)
  const scope = await visibleDepts(step, 'student', said.today)
  const classes = await classesOn(step.db, step.school_id, said.today)
  return { ...said, classes: scope === 'all' ? classes : classes.filter(one => scope.includes(one.dept_id)), scope, keys: step.app.secrets }
}

/** What reading the sheet of pupils depends on: the school's own fields are its last columns. */
export type StudentWords = PeopleWords & { custom: readonly LiveField[] }

export async function readStudentWords(step: ReadStep<PeopleDb>): Promise<StudentWords> {
  return { ...(await readWords(step, student_columns)), custom: sheetFields(await fieldsFor(step, 'student')) }
}

/** Names and codes of the dictionaries of these fields, today, and the divisions. */
export async function fieldWords({ db, school_id, now }: ReadStep<PeopleDb>, fields: readonly Field[]): Promise<Pick<PeopleWords, 'today' | 'codes' | 'names' | 'divisions'>> {
  const items = await dictionaryItems(db, school_id, [...new Set(fields.flatMap(field => field.dict ?? []))])
  const by_type = Map.groupBy(items, item => item.sc_code_type)
  return {
    today: schoolDay(now),
    codes: new Map([...by_type].map(([type, list]) => [type, new Map(list.map(item => [item.name, item.sc_code_item]))])),
    names: new Map([...by_type].map(([type, list]) => [type, new Map(list.map(item => [item.sc_code_item, item.name]))])),
    divisions: divisions(),
  }
}

function dictionaryItems(db: Kysely<PeopleDb>, school_id: number, types: readonly string[]) {
  return db.selectFrom('dictionary_v').select(['sc_code_type', 'sc_code_item', 'name']).where('school_id', '=', school_id).where('sc_code_type', 'in', [...types]).orderBy('order').execute()
}

async function classesOn(db: Db, school_id: number, on: string): Promise<ClassWord[]> {
  const rows = await db
    .selectFrom('dept_version as v')
    .innerJoin('dept as d', join => join.onRef('d.school_id', '=', 'v.school_id').onRef('d.id', '=', 'v.dept_id'))
    .select(['v.dept_id', 'v.grade', 'd.stage', 'd.dept_type', 'v.dept_name', 'd.enrol_year', 'v.pt_node_path_name', 'd.capacity'])
    .where('v.school_id', '=', school_id)
    .where('d.school_id', '=', school_id)
    .where('d.dept_type', '=', 4)
    .where('d.closed_on', 'is', null)
    .where(validOn('v', on))
    .orderBy('v.grade')
    .orderBy('v.show_order')
    .execute()
  const format = await nameFormat(db, school_id)
  return rows.map(row => ({
    dept_id: row.dept_id,
    grade: row.grade,
    stage: row.stage,
    own_name: ownName(row),
    dept_name: row.dept_name,
    path: row.pt_node_path_name,
    label: deptLabel(row, format, false),
    capacity: row.capacity,
  }))
}

const grade_codes: ReadonlyMap<string, string> = new Map(Object.entries(GRADE.names).map(([code, name]) => [name, code]))
const indexes = new WeakMap<readonly ClassWord[], ClassIndex>()

export type ClassReading = { found: ClassWord; error?: undefined } | { found?: undefined; error: { prop: 'grade' | 'class_name'; msg: string } }

/** Finds the class a row names: by its whole path, or by its name inside the grade (chapter 20 §6). */
export function findClass(classes: readonly ClassWord[], grade_name: string, class_name: string): ClassReading {
  const { by_path, by_name } = indexOf(classes)
  const [whole, ...more] = by_path.get(nameKey(class_name)) ?? []
  if (whole && more.length === 0) return { found: whole }
  const grade = grade_codes.get(grade_name)
  if (grade_name !== '' && grade === undefined) return { error: { prop: 'grade', msg: '字典值不存在' } }
  const inside = (by_name.get(nameKey(class_name)) ?? []).filter(one => grade === undefined || one.grade === grade)
  const [found] = inside
  if (!found) return { error: { prop: 'class_name', msg: `班级不存在：${class_name}` } }
  return inside.length === 1 ? { found } : { error: { prop: 'class_name', msg: '同名班级不唯一，请写全路径' } }
}

type ClassIndex = { by_path: ReadonlyMap<string, readonly ClassWord[]>; by_name: ReadonlyMap<string, readonly ClassWord[]> }

/** Every line of a sheet asks for its class. */
function indexOf(classes: readonly ClassWord[]): ClassIndex {
  const known = indexes.get(classes)
  if (known) return known
  const made = { by_path: byNames(classes, ({ path }) => [path, path.split('/').slice(1).join('/')]), by_name: byNames(classes, ({ own_name, dept_name }) => [own_name, dept_name]) }
  indexes.set(classes, made)
  return made
}

function byNames(classes: readonly ClassWord[], namesOf: (one: ClassWord) => string[]): Map<string, ClassWord[]> {
  const found = new Map<string, ClassWord[]>()
  for (const one of classes) for (const name of new Set(namesOf(one).map(nameKey))) found.set(name, [...(found.get(name) ?? []), one])
  return found
}

/** What the drop-downs of grade and class offer. */
export function classOptions(classes: readonly ClassWord[]): { grades: string[]; names: string[] } {
  const grades = Object.entries(GRADE.names).filter(([code]) => classes.some(one => one.grade === code)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const own = [...new Set(classes.map(one => one.own_name))]
  const twice = classes.filter(one => classes.some(other => other !== one && other.grade === one.grade && other.own_name === one.own_name))
  return { grades: grades.map(([, name]) => name), names: [...own, ...twice.map(one => one.path)] }
}
