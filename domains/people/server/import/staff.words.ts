import type { ReadStep } from '@campus/jobs/server'
import { isSameName } from '@kit/contract/checks'
import { validOn } from '../dated.ts'
import type { Db, PeopleDb } from '../db.ts'
import { deptLabel } from '../dept.label.ts'
import { nameFormat } from '../dept.queries.ts'
import { fieldsFor } from '../field/ext.ts'
import { sheetFields } from './custom.ts'
import type { LiveField } from '../field/ext.ts'
import type { IdKeys } from '../id-number.ts'
import { visibleDepts } from '../scope.ts'
import type { DeptScope } from '../scope.ts'
import type { FieldWords } from './field.ts'
import { staff_columns } from './staff.columns.ts'
import { fieldWords } from './words.ts'

/** A department of the staff as a sheet may name it; `path` is whole, from the school down. */
export type DeptWord = { dept_id: string; dept_name: string; path: string; label: string }

/** What reading the staff sheet depends on. */
export type StaffSheetWords = FieldWords & {
  /** type → code → name */
  names: ReadonlyMap<string, ReadonlyMap<string, string>>
  depts: readonly DeptWord[]
  /** the school's own fields, the last columns of the sheet */
  custom: readonly LiveField[]
  scope: DeptScope
  keys: IdKeys
}

/** Reads dictionaries and departments; one outside the importer's scope does not exist for him. */
export async function readStaffWords(step: ReadStep<PeopleDb>): Promise<StaffSheetWords> {
  const said = await fieldWords(step, staff_columns)
  const scope = await visibleDepts(step, 'staff', said.today)
  const depts = await deptsOfStaffTree(step.db, step.school_id, said.today)
  return { ...said, depts: scope === 'all' ? depts : depts.filter(one => scope.includes(one.dept_id)), custom: sheetFields(await fieldsFor(step, 'staff')), scope, keys: step.app.secrets }
}

async function deptsOfStaffTree(db: Db, school_id: number, on: string): Promise<DeptWord[]> {
  const rows = await db
    .selectFrom('dept_version as v')
    .innerJoin('dept as d', join => join.onRef('d.school_id', '=', 'v.school_id').onRef('d.id', '=', 'v.dept_id'))
    .select(['v.dept_id', 'v.grade', 'd.dept_type', 'v.dept_name', 'd.enrol_year', 'v.pt_node_path_name'])
    .where('v.school_id', '=', school_id)
    .where('d.school_id', '=', school_id)
    .where('d.tree', 'in', ['staff', 'both'])
    .where('d.closed_on', 'is', null)
    .where(validOn('v', on))
    .orderBy('v.pt_node_path_name')
    .execute()
  const format = await nameFormat(db, school_id)
  return rows.map(row => ({ dept_id: row.dept_id, dept_name: row.dept_name, path: row.pt_node_path_name, label: deptLabel(row, format, false) }))
}

export type DeptReading = { found: DeptWord; error?: undefined } | { found?: undefined; error: string }

/** Finds the department a cell names: by its whole path, with or without the school, or by a name that only one has (chapter 20 §6). */
export function findDept(depts: readonly DeptWord[], text: string): DeptReading {
  const path = text.replace(/\s*\/\s*/g, '/').replace(/^\/|\/$/g, '')
  const by_path = depts.filter(one => isSameName(one.path, path) || isSameName(one.path.split('/').slice(1).join('/'), path))
  const [whole, ...others] = by_path.length > 0 ? by_path : depts.filter(one => isSameName(one.dept_name, path))
  if (!whole) return { error: `部门不存在：${text}` }
  return others.length === 0 ? { found: whole } : { error: '同名部门不唯一，请写全路径' }
}
