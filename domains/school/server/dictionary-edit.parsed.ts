import { missingCells } from '@kit/server/excel'
import type { Cells, Checked, ImportColumn, Issue, SingleKey } from '@kit/server/excel'

/** One line of the sheet; undefined = unchanged, or the default of a new item. */
export type ParsedItem = { sc_code_type: string; sc_code_item: string; name: string; order: number | undefined; enabled: boolean | undefined }

/** The types by title and by code, as a school may change them. */
export type TypeWords = { types: ReadonlyMap<string, { sc_code_type: string; editable: boolean }>; columns: ImportColumn[] }
type KnownType = { sc_code_type: string; title: string; editable: boolean }

const longest_name = 60
const answers: Readonly<Record<string, boolean>> = { 是: true, 否: false }

/** What the columns and the check depend on. */
export function wordsOf(types: readonly KnownType[]): TypeWords {
  const titles = types.filter(type => type.editable).map(type => type.title)
  const plain = { required: false, options: null, text: true }
  const columns: ImportColumn[] = [
    { ...plain, prop: 'sc_code_type', label: '字典类型', required: true, options: titles, sample: titles[0] },
    { ...plain, prop: 'sc_code_item', label: '代码', required: true, sample: '901', note: '字母或数字，不超过20位；已使用的代码不再用作别的含义' },
    { ...plain, prop: 'name', label: '名称', required: true, sample: '书香班级', note: `最多${longest_name}个字` },
    { ...plain, prop: 'order', label: '顺序', text: false, sample: '10' },
    { ...plain, prop: 'enabled', label: '启用', options: Object.keys(answers), sample: '是' },
  ]
  return { types: new Map([...types.map(type => [type.title, type] as const), ...types.map(type => [type.sc_code_type, type] as const)]), columns }
}

/** Checks one line for itself. */
export function checkItem({ types, columns }: TypeWords, cells: Cells): Checked<ParsedItem> {
  const errors = missingCells(columns, cells)
  const { sc_code_type: title = '', sc_code_item = '', name = '', order = '', enabled = '' } = cells
  const type = types.get(title)
  const refuse = (prop: string, msg: string) => errors.push({ prop, msg })
  if (title !== '' && !type) refuse('sc_code_type', '字典值不存在')
  if (type && !type.editable) refuse('sc_code_type', '标准字典不可修改')
  if (sc_code_item !== '' && !/^[0-9A-Za-z]{1,20}$/.test(sc_code_item)) refuse('sc_code_item', '格式不正确')
  if ([...name].length > longest_name) refuse('name', `超过${longest_name}个字`)
  if (order !== '' && !/^[0-9]{1,4}$/.test(order)) refuse('order', '格式不正确')
  if (enabled !== '' && answers[enabled] === undefined) refuse('enabled', '字典值不存在')
  if (!type || !isWhole(errors) || sc_code_item === '' || name === '') return { parsed: null, errors, warnings: [] }
  const parsed = { sc_code_type: type.sc_code_type, sc_code_item, name, order: order === '' ? undefined : Number(order), enabled: answers[enabled] }
  return { parsed, errors, warnings: [] }
}

function isWhole(errors: readonly Issue[]): boolean {
  return errors.every(({ prop }) => prop === 'order' || prop === 'enabled')
}

/** Code and name stand once in a type. */
export function itemKeys({ sc_code_type, sc_code_item, name }: ParsedItem): SingleKey[] {
  return [{ prop: 'sc_code_item', key: `code\n${sc_code_type}\n${sc_code_item}` }, { prop: 'name', key: `name\n${sc_code_type}\n${name}` }]
}
