import { daysFrom, HOLIDAY_KIND, SpecialDraft } from '@campus/calendar/contract'
import { missingCells } from '@kit/server/excel'
import type { Cells, Checked, ImportColumn, SingleKey } from '@kit/server/excel'
import type { z } from 'zod'

/** One line of the sheet as what is to be set. */
export type ParsedSpecial = Omit<z.output<typeof SpecialDraft>, 'preview'>
/** The school's own words of grades, by name. */
export type SpecialWords = { grades: ReadonlyMap<string, string> }

const settable = ['7', '2', '3', '8', '9', '10'] as const
const kinds = new Map<string, number>(settable.map(code => [HOLIDAY_KIND.names[code], Number(code)]))
const cell_of: Readonly<Record<string, string>> = { scope_codes: 'grades' }

/** 日期起, 日期止, 名称, 类型, 年级, 跟随日期 (chapter 50 §6). */
export function specialColumns({ grades }: SpecialWords): ImportColumn[] {
  const plain = { required: false, options: null, text: true }
  return [
    { ...plain, prop: 'begin_date', label: '日期起', required: true, sample: '2026-12-23' },
    { ...plain, prop: 'end_date', label: '日期止', required: true, sample: '2026-12-23' },
    { ...plain, prop: 'name', label: '名称', required: true, sample: '校庆放假', note: '最多30个字' },
    { ...plain, prop: 'kind', label: '类型', required: true, options: [...kinds.keys()], sample: '校定假日' },
    { ...plain, prop: 'grades', label: '年级', sample: [...grades.keys()].slice(0, 2).join('；'), note: '多个年级用；分开；不填表示全校' },
    { ...plain, prop: 'follows_date', label: '跟随日期', sample: '', note: '调休上班补哪一天的课' },
  ]
}

/** Checks one line for itself, by the same schema as the page. */
export function checkSpecialRow(words: SpecialWords, cells: Cells): Checked<ParsedSpecial> {
  const errors = missingCells(specialColumns(words), cells)
  const { begin_date = '', end_date = '', name = '', kind = '', grades = '', follows_date = '' } = cells
  const named = grades.split(/[；;、,，]/).map(part => part.trim()).filter(Boolean)
  const codes = named.flatMap(one => words.grades.get(one) ?? [])
  if (kind !== '' && !kinds.has(kind)) errors.push({ prop: 'kind', msg: '字典值不存在' })
  if (codes.length < named.length) errors.push({ prop: 'grades', msg: '年级不存在' })
  if (errors.length > 0) return { parsed: null, errors, warnings: [] }
  const draft = { begin_date: dayOf(begin_date), end_date: dayOf(end_date), name, kind: kinds.get(kind) ?? 0, follows_date: follows_date === '' ? null : dayOf(follows_date) }
  const checked = SpecialDraft.safeParse({ ...draft, ...(codes.length > 0 ? { scope_kind: 'grade', scope_codes: codes } : {}) })
  if (checked.success) {
    const { preview: _preview, ...parsed } = checked.data
    return { parsed, errors, warnings: [] }
  }
  return { parsed: null, errors: checked.error.issues.map(({ path, message }) => ({ prop: cell_of[String(path[0])] ?? String(path[0]), msg: path[0] === 'follows_date' ? '日期格式不正确' : message })), warnings: [] }
}

/** 2026/9/1 and 2026.9.1 are days too. */
function dayOf(text: string): string {
  const [year = '', month = '', day = ''] = text.split(/[-/.年月日]/)
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** A day of a grade is set once in a sheet; kinds that lie over a teaching day may meet. */
export function specialKeys({ begin_date, end_date, kind, scope_codes }: ParsedSpecial): SingleKey[] {
  if (kind > 8) return []
  const scopes = scope_codes.length === 0 ? ['school'] : scope_codes
  return daysFrom(begin_date, end_date).flatMap(day => scopes.map(scope => ({ prop: 'begin_date', key: `${day} ${scope}` })))
}
