import { checkPlaceName, most_capacity } from '@campus/places/contract'
import { foldFullWidth } from '@kit/contract/checks'
import type { Cells, Checked, ImportColumn, SingleKey } from '@kit/server/excel'

/** One line of the sheet; null: nothing in the cell, which leaves what a known place has. `path` = its whole way from the campus. */
export type ParsedPlace = { superior_path: string; path: string; place_name: string; place_kind: number; capacity: number | null; dept_path: string | null; order: number }
/** The school's own words for kinds of places, without those that a sheet does not make. */
export type PlaceWords = { kinds: ReadonlyMap<string, number> }

const last_order = 9999
const longest_path = 500
const plain = { required: false, options: null, text: true } as const

/** Columns of 场所导入 (chapter 30 §6). */
export function placeColumns({ kinds }: PlaceWords): ImportColumn[] {
  return [
    { ...plain, prop: 'superior_path', label: '上级场所全路径', required: true, sample: '启明实验学校/实验楼/1层', note: '从校区开始，用“/”分隔；上级可以是本表的其他行' },
    { ...plain, prop: 'place_name', label: '场所名称', required: true, sample: '物理实验室', note: '同一上级下不能重复；已有的场所表示修改' },
    { ...plain, prop: 'place_kind', label: '场所类型', required: true, options: [...kinds.keys()], sample: '实验室' },
    { ...plain, prop: 'capacity', label: '容纳人数', sample: '48' },
    { ...plain, prop: 'dept_path', label: '班级全路径', sample: '', note: '这间教室是哪个班的，例如 启明实验学校/小学部/一年级/一年级1班；今天起生效' },
    { ...plain, prop: 'order', label: '顺序', sample: '1', note: '1-9999，用于本表新增场所之间的先后' },
  ]
}

/** Checks one line for itself. */
export function checkPlace({ kinds }: PlaceWords, cells: Cells): Checked<ParsedPlace> {
  const { superior_path: above = '', place_name = '', place_kind: kind_name = '', capacity: seats = '', dept_path = '', order: turn = '' } = cells
  const superior_path = cleanPath(above)
  const place_kind = kinds.get(kind_name)
  const [capacity, order] = [whole(seats), whole(turn)]
  const errors = [
    issue('superior_path', superior_path === '' ? '必填项不能为空' : superior_path.length > longest_path && `超过${longest_path}个字`),
    issue('place_name', place_name === '' ? '必填项不能为空' : checkPlaceName(place_name)),
    issue('place_kind', kind_name === '' ? '必填项不能为空' : place_kind === undefined && '字典值不存在'),
    issue('capacity', seats !== '' && (capacity === null || capacity > most_capacity) && `请填写0至${most_capacity}的整数`),
    issue('order', turn !== '' && (order === null || order < 1 || order > last_order) && `请填写1至${last_order}的整数`),
  ].flat()
  if (superior_path === '' || place_name === '' || place_kind === undefined) return { parsed: null, errors, warnings: [] }
  return { parsed: { superior_path, path: `${superior_path}/${place_name}`, place_name, place_kind, capacity, dept_path: cleanPath(dept_path) || null, order: order ?? last_order }, errors, warnings: [] }
}

/** A place stands once in a file, and a class has one room. */
export function placeKeys({ path, dept_path }: ParsedPlace): SingleKey[] {
  const own = { prop: 'place_name', key: `path\n${path}`, msg: (row_no: number) => `同级场所名称已存在（第${row_no}行）` }
  return dept_path === null ? [own] : [own, { prop: 'dept_path', key: `dept\n${dept_path}`, msg: row_no => `该班级在第${row_no}行已绑定场所` }]
}

function cleanPath(text: string): string {
  return text.split('/').map(step => step.trim()).filter(step => step !== '').join('/')
}

function whole(text: string): number | null {
  const folded = foldFullWidth(text)
  return /^\d{1,6}$/.test(folded) ? Number(folded) : null
}

function issue(prop: string, msg: string | false | null | undefined) {
  return msg ? [{ prop, msg }] : []
}
