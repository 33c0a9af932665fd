import type { Cells, Checked, Issue, ReadStep, SingleKey } from '@campus/jobs/server'
import { checkDeptName, foldFullWidth, nameKey } from '@kit/contract/checks'
import type { PeopleDb } from '../db.ts'
import { class_type, grade_type } from '../dept.rules.ts'
import { readRemarkFields } from '../remark/remark.queries.ts'
import type { RemarkRecord } from '../remark/remark.queries.ts'
import { dept_columns } from './dept.columns.ts'
import { laterNotes, missingProps, readCells } from './read-cells.ts'
import type { FieldWords } from './field.ts'
import { fieldWords } from './words.ts'

/** What reading the sheet depends on. */
export type DeptWords = FieldWords & {
  names: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** name of the school, with which a whole path begins */
  root: string
  remarks: readonly RemarkRecord[]
}

/** One line of the department sheet. Paths are without the school, `''` is the school itself; null = cleared. */
export type ParsedDept = {
  parent_path: string
  /** its own path, a class by its own part of the name */
  path: string
  dept_name: string
  dept_type: number
  grade?: string | null
  enrol_year?: number
  class_type?: string | null
  head_no?: string | null
  vice_nos?: string[]
  order: number
  /** by field; null empties them all */
  remarks?: Record<string, string> | null
}

/** Types that a sheet may make; the school itself and groups of lessons are made elsewhere. */
export const imported_types: readonly number[] = [2, 3, 4, 5, 6, 7, 8, 11, 99]
const last_order = 9999
const most_vices = 5
const first_year = 1970
const last_year = 2100
const separators = /[；;、,，]/

/** Reads dictionaries, the school's name and its remark fields. */
export async function readDeptWords(step: ReadStep<PeopleDb>): Promise<DeptWords> {
  const said = await fieldWords(step, dept_columns)
  const root = await step.db.selectFrom('dept_now').select('dept_name').where('school_id', '=', step.school_id).where('parent_id', 'is', null).executeTakeFirst()
  return { ...said, root: root?.dept_name ?? '', remarks: (await readRemarkFields(step.db, step.school_id)).filter(field => !field.archived) }
}

/** Checks one line for itself (chapter 20 rules 11, 12, §6). */
export function checkDept(words: DeptWords, cells: Cells): Checked<ParsedDept> {
  const { values, errors, warnings } = readCells(dept_columns, cells, words)
  errors.push(...missingProps(['parent_path', 'dept_name', 'dept_type', 'is_grade'], values, errors))
  const dept_type = Number(values.dept_type ?? 0)
  const dept_name = values.dept_name ?? ''
  const wrong_name = dept_name === '' ? null : checkDeptName(dept_name)
  if (wrong_name) errors.push({ prop: 'dept_name', msg: wrong_name })
  if (dept_type !== 0 && !imported_types.includes(dept_type)) errors.push({ prop: 'dept_type', msg: '该类型的部门不能导入' })
  if (values.is_grade && dept_type !== 0 && (values.is_grade === '1') !== (dept_type === grade_type)) errors.push({ prop: 'is_grade', msg: '是否年级与部门类型不一致' })
  if (dept_type === grade_type && !values.grade && !errors.some(issue => issue.prop === 'grade')) errors.push({ prop: 'grade', msg: '必填项不能为空' })
  const enrol_year = readWhole(values.enrol_year, { prop: 'enrol_year', least: first_year, most: last_year }, errors)
  const order = readWhole(values.order, { prop: 'order', least: 1, most: last_order }, errors) ?? last_order
  const remarks = readRemarks(words.remarks, dept_type, values.remark, errors)
  const vice_nos = readNumbers(values.vice_no)
  if (vice_nos && vice_nos.length > most_vices) errors.push({ prop: 'vice_no', msg: `最多填写${most_vices}人` })
  warnings.push(...(cells.place ? laterNotes(dept_columns.filter(({ prop }) => prop === 'place'), values).map(({ prop }) => ({ prop, msg: '导入不设置教室，请在场所管理中设置' })) : []))
  const parent_path = normalPath(values.parent_path ?? '', words.root)
  const parsed = { parent_path, path: pathBelow(parent_path, dept_name, dept_type), dept_name, dept_type, grade: values.grade, enrol_year, class_type: values.class_type, head_no: readHead(values.head_no), vice_nos, order, remarks }
  return { parsed: dept_name === '' || dept_type === 0 || !values.parent_path ? null : parsed, errors, warnings }
}

/** What only one line of the file may hold: a department is named by its path. */
export function deptKeys({ path }: ParsedDept): SingleKey[] {
  return [{ prop: 'dept_name', key: `path:${nameKey(path)}`, msg: row_no => `同一部门重复出现在第${row_no}行` }]
}

/** A path as it is compared: levels trimmed, without the school. */
export function normalPath(text: string, root: string): string {
  const steps = text.split('/').map(step => step.trim()).filter(step => step !== '')
  return (steps[0] === root ? steps.slice(1) : steps).join('/')
}

/** The path of a department; a class is named by its own part, so that 1班 and 一年级1班 are one. */
export function pathBelow(parent_path: string, dept_name: string, dept_type: number): string {
  const above = parent_path.split('/').at(-1) ?? ''
  const own = dept_type === class_type && above !== '' && dept_name.startsWith(above) ? dept_name.slice(above.length) || dept_name : dept_name
  return parent_path === '' ? own : `${parent_path}/${own}`
}

function readWhole(text: string | null | undefined, { prop, least, most }: { prop: string; least: number; most: number }, errors: Issue[]): number | undefined {
  if (!text) return undefined
  const folded = foldFullWidth(text)
  const value = /^\d{1,4}$/.test(folded) ? Number(folded) : 0
  if (value < least || value > most) errors.push({ prop, msg: `请填写${least}至${most}的整数` })
  return value
}

function readHead(text: string | null | undefined): string | null | undefined {
  return text ? foldFullWidth(text) : text
}

function readNumbers(text: string | null | undefined): string[] | undefined {
  if (text === undefined) return undefined
  return [...new Set((text ?? '').split(separators).map(no => foldFullWidth(no).trim()).filter(no => no !== ''))]
}

/** `校区：东校区；班级性质：普通班`, in the names of the school's own remarks. */
function readRemarks(fields: readonly RemarkRecord[], dept_type: number, text: string | null | undefined, errors: Issue[]): Record<string, string> | null | undefined {
  if (!text) return text === null ? null : undefined
  const said: Record<string, string> = {}
  for (const part of text.split(/[；;]/).map(one => one.trim()).filter(one => one !== '')) {
    const [label = '', value = ''] = part.split(/[：:](.*)/s).map(one => one.trim())
    const field = fields.find(one => one.label === label && one.applies_to.includes(dept_type))
    if (field?.options.includes(value)) said[field.id] = value
    else errors.push({ prop: 'remark', msg: field ? `没有选项：${value}` : `没有适用的备注项：${label}，请写成“校区：东校区”的形式` })
  }
  return said
}
