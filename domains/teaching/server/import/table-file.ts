import { weekday_names } from '@campus/teaching/contract'
import type { FileIssue } from '@campus/teaching/contract'
import type { ReadSheet, SheetRow } from '@kit/server/excel'

/** Where something stands in a file. */
export type Spot = Pick<FileIssue, 'sheet' | 'row' | 'column'>
/** One lesson of one section as a file states it; null: the file does not say. */
export type Entry = {
  at: Spot; semester: string | null; class_names: string[]; course: string; weekday: number; section: number; weeks: string
  teacher_nos: string[] | null; teacher_names: string[] | null; place: string | null
}
type TableFile = { layout: 'rows' | 'grid' | null; entries: Entry[]; issues: FileIssue[] }

const last_header_row = 5
const row_columns = ['学期', '年级', '班级', '星期', '节次', '单双周', '课程', '教师工号', '上课地点'] as const
const required = ['学期', '班级', '星期', '节次', '课程'] as const
const numerals = ['', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二']
const every_week = '每周'
const plain = (text: string) => text.replaceAll(/[\s*]/gu, '')
/** Parts of a cell that names several. */
const partsOf = (text: string) => text.split(/[；;、,，]/u).map(part => part.trim()).filter(Boolean)

/**
 * Reads a timetable in either layout: A one lesson a row, B sections × weekdays with 课程 above 教师 in a cell (chapter 50 §6).
 * @param isCourse whether a text names a course: in a cell of layout B such a line begins the next lesson
 */
export function readTableFile(sheets: readonly Pick<ReadSheet, 'name' | 'rows'>[], isCourse: (name: string) => boolean): TableFile {
  const found: TableFile = { layout: null, entries: [], issues: [] }
  for (const { name, rows } of sheets) {
    const head = rows.find(row => row.row_no <= last_header_row && layoutOf(labelsOf(row)) !== null)
    if (!head) continue
    const labels = labelsOf(head)
    const layout = layoutOf(labels)
    found.layout ??= layout
    const data = rows.filter(row => row.row_no > head.row_no)
    if (layout === 'rows') readRows(found, name, labels, data)
    else readGrid(found, name, labels, data, isCourse)
  }
  return found
}

const labelsOf = ({ cells }: SheetRow) => cells.map(cell => plain(cell.text))

function layoutOf(labels: readonly string[]): 'rows' | 'grid' | null {
  const has = (label: string) => labels.includes(label)
  if (has('星期') && has('节次') && has('课程')) return 'rows'
  return has('节次') && labels.some(label => weekdayOf(label) !== null) ? 'grid' : null
}

/** 星期三, 周三 or 3. */
function weekdayOf(text: string): number | null {
  const named = weekday_names.indexOf(weekday_names.find(name => name !== '' && name.slice(2) === text.replace(/^(星期|周)/u, '')) ?? '')
  if (named > 0) return /^(星期|周)/u.test(text) ? named : null
  return /^[1-7]$/u.test(text) ? Number(text) : null
}

/** 3, 第3节 or 第三节. */
function sectionOf(text: string): number | null {
  const bare = plain(text).replace(/^第/u, '').replace(/节课?$/u, '')
  const section = /^\d{1,2}$/u.test(bare) ? Number(bare) : numerals.indexOf(bare)
  return section >= 1 && section <= 16 ? section : null
}

function readRows(found: TableFile, sheet: string, labels: readonly string[], rows: readonly SheetRow[]): void {
  for (const { row_no, cells } of rows) {
    const text = (label: string) => (labels.includes(label) ? (cells[labels.indexOf(label)]?.text.trim() ?? '') : '')
    if (row_columns.every(label => text(label) === '')) continue
    const spot = (column: string): Spot => ({ sheet, row: row_no, column })
    const issues = required.filter(label => text(label) === '').map(label => ({ ...spot(label), msg: '必填项不能为空' }))
    const [weekday, section] = [weekdayOf(plain(text('星期'))), sectionOf(text('节次'))]
    if (text('星期') !== '' && weekday === null) issues.push({ ...spot('星期'), msg: '星期不正确，例如星期一' })
    if (text('节次') !== '' && section === null) issues.push({ ...spot('节次'), msg: '节次为1至16' })
    found.issues.push(...issues)
    if (issues.length > 0 || weekday === null || section === null) continue
    const [grade, own] = [text('年级'), text('班级')]
    found.entries.push({
      at: spot('课程'), semester: text('学期'), class_names: [`${grade}${own.replace(grade, '')}`, own], course: text('课程'), weekday, section,
      weeks: text('单双周') || every_week, teacher_nos: partsOf(text('教师工号')), teacher_names: null, place: text('上课地点') || null,
    })
  }
}

function readGrid(found: TableFile, sheet: string, labels: readonly string[], rows: readonly SheetRow[], isCourse: (name: string) =>
  boolean): void {
  const class_at = labels.findIndex(label => label === '班级' || label === '对象')
  const section_at = labels.indexOf('节次')
  const days = labels.flatMap((label, at) => { const weekday = weekdayOf(label); return weekday === null ? [] : [{ at, label, weekday }] })
  const above = new Map<number, string>()
  for (const { row_no, cells } of rows) {
    const own = (class_at < 0 ? '' : (cells[class_at]?.text.trim() ?? '')) || sheet.trim()
    const texts = days.map(({ at }) => textBelow(above, cells[at], at))
    const section = sectionOf(cells[section_at]?.text ?? '')
    if (section === null) {
      if (texts.some(text => text !== '')) found.issues.push({ sheet, row: row_no, column: '节次', msg: '节次为1至16' })
      continue
    }
    for (const [nth, { label, weekday }] of days.entries()) {
      const at = { sheet, row: row_no, column: label }
      for (const lesson of lessonsOf(texts[nth] ?? '', isCourse)) {
        found.entries.push({ at, semester: null, class_names: [own], weekday, section, teacher_nos: null, ...lesson })
      }
    }
  }
}

/** The text of a cell; the lower cells of a merged one repeat it, as a lesson of two sections is often drawn. */
function textBelow(above: Map<number, string>, cell: SheetRow['cells'][number] | undefined, at: number): string {
  const text = cell?.text.trim() ?? ''
  const shown = text === '' && cell?.merged ? (above.get(at) ?? '') : text
  above.set(at, cell?.merged ? shown : '')
  return shown
}

type CellLesson = Pick<Entry, 'course' | 'weeks' | 'teacher_names' | 'place'>
const week_prefix = /^((?:单|双)周?|[\d,，、-]+周)\s*[:：]\s*/u

/** Lessons of a cell: `[单:]课程`, then its teachers, then `@` and its place. */
function lessonsOf(text: string, isCourse: (name: string) => boolean): CellLesson[] {
  const lessons: CellLesson[] = []
  for (const line of text.split('\n').map(part => part.trim()).filter(Boolean)) {
    const weeks = week_prefix.exec(line)
    const name = line.replace(week_prefix, '')
    const last = lessons.at(-1)
    if (!last || weeks || isCourse(name)) lessons.push({ course: name, weeks: weeks?.[1] ?? every_week, teacher_names: null, place: null })
    else if (line.startsWith('@')) last.place = line.slice(1).trim()
    else last.teacher_names = [...(last.teacher_names ?? []), ...partsOf(line)]
  }
  return lessons
}
