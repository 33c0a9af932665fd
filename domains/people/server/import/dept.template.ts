import { importTemplate } from '@campus/jobs/server'
import type { TemplateColumn } from '@campus/jobs/server'
import type { PeopleDb } from '../db.ts'
import { applyDepts } from './dept.apply.ts'
import { dept_columns } from './dept.columns.ts'
import { deptUndo } from './dept.image.ts'
import { deptTally, judgeDept } from './dept.judge.ts'
import { checkDept, deptKeys, imported_types, readDeptWords } from './dept.parsed.ts'
import type { DeptWords, ParsedDept } from './dept.parsed.ts'
import { loadDepts } from './dept.snapshot.ts'
import type { DeptSnapshot } from './dept.snapshot.ts'

/** Permission code of the import; no call names it. */
export const dept_import_code = 'people.dept.import'

/** 部门班级导入: one line a department of either tree, named by its whole path. */
export const deptTemplate = importTemplate<PeopleDb, DeptWords, ParsedDept, DeptSnapshot>({
  code: 'department',
  page: '/Organization',
  title: '部门班级导入',
  file_name: '部门班级导入模板.xlsx',
  sheet: '部门班级导入',
  notes: [
    '填写说明：一行一个部门，按“上级部门全路径/部门名称”匹配；已有的部门只改班级类型、负责人和备注，空单元格表示不修改，选填列填写[清空]表示清空。',
    '上级部门须已存在，或由本表新建（请写在前面的行）。班级建在年级下，备课组建在教研组或年级组下。今天起生效，每次最多20000行，不支持公式。',
  ],
  need: dept_import_code,
  words: step => readDeptWords(step),
  columns: words => dept_columns.map(field => columnOf(field, words)),
  check: (words, cells) => checkDept(words, cells),
  keys: parsed => deptKeys(parsed),
  tally: parsed => deptTally(parsed),
  load: (step, rows) => loadDepts(step, rows),
  judge: (row, snapshot, counted) => judgeDept(row, snapshot, counted),
  apply: (step, rows, snapshot) => applyDepts(step, rows, snapshot),
  undo: deptUndo,
})

function columnOf(field: (typeof dept_columns)[number], words: DeptWords): TemplateColumn {
  const { prop, label } = field
  const is_text = !('dict' in field)
  return { prop, label, required: 'required' in field, options: optionsOf(field, words), text: is_text, sample: 'sample' in field ? field.sample : undefined, note: 'note' in field ? field.note : undefined }
}

function optionsOf(field: (typeof dept_columns)[number], { codes }: DeptWords): string[] | null {
  if (!('dict' in field)) return null
  const items = [...(codes.get(field.dict) ?? [])]
  return items.filter(([, code]) => field.dict !== 'DEPT_TYPE' || imported_types.includes(Number(code))).map(([name]) => name)
}
