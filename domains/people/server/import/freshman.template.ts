import { importTemplate } from '@campus/jobs/server'
import type { TemplateColumn } from '@campus/jobs/server'
import { freshmen_import_code } from '@campus/people/contract'
import type { PeopleDb } from '../db.ts'
import type { FieldWords } from './field.ts'
import { applyFreshmen, freshmanUndo } from './freshman.apply.ts'
import { freshman_columns } from './freshman.columns.ts'
import { judgeFreshman, loadFreshmen } from './freshman.judge.ts'
import type { FreshmanSnapshot } from './freshman.judge.ts'
import { checkFreshman, freshmanKeys } from './freshman.parsed.ts'
import type { ParsedFreshman } from './freshman.parsed.ts'
import { fieldWords } from './words.ts'

/** 新生报名导入: one line an application, which then is reviewed like those of families. */
export const freshmanTemplate = importTemplate<PeopleDb, FieldWords, ParsedFreshman, FreshmanSnapshot>({
  code: 'freshman',
  page: '/FreshmenList',
  title: '新生报名导入',
  file_name: '新生导入模板.xlsx',
  sheet: '新生报名导入',
  notes: [
    '填写说明：一行一名新生，红色列为必填；按报名学段进入最近一次已开放、尚未分班的新生报名，报名时间截止后仍可导入。',
    '已报名的证件号不能再导入（放弃入学的除外）。导入后为待审核，报名设置中选择“直接通过”的为审核通过。每次最多20000行，不支持公式。',
  ],
  need: freshmen_import_code,
  words: step => fieldWords(step, freshman_columns),
  columns: words => freshman_columns.map(field => columnOf(field, words)),
  check: (words, cells) => checkFreshman(words, cells),
  keys: parsed => freshmanKeys(parsed),
  load: (step, rows) => loadFreshmen(step, rows),
  judge: (row, snapshot) => judgeFreshman(row, snapshot),
  apply: (step, rows, snapshot) => applyFreshmen(step, rows, snapshot),
  undo: freshmanUndo,
})

function columnOf(field: (typeof freshman_columns)[number], { codes }: FieldWords): TemplateColumn {
  const { prop, label, sample } = field
  const options = 'dict' in field ? [...(codes.get(field.dict)?.keys() ?? [])] : null
  return { prop, label, required: 'required' in field, options, text: options === null, sample, note: 'note' in field ? field.note : undefined }
}
