import type { Cells } from '@campus/jobs/server'
import { divisions } from './divisions.ts'
import { student_columns } from './student.columns.ts'
import { checkStudent } from './student.parsed.ts'
import type { ParsedStudent } from './student.parsed.ts'
import type { StudentSnapshot } from './student.snapshot.ts'
import type { ClassWord, StudentWords } from './words.ts'

const dictionaries: Record<string, Record<string, string>> = {
  SEX: { 男: '1', 女: '2' },
  ID_TYPE: { 居民身份证: '1', 护照: 'A' },
  PICKUP_RELATION: { 父亲: '51', 母亲: '52' },
  YES_NO: { 是: '1', 否: '0' },
  NATION: { 汉族: '01' },
  COUNTRY: { 中国: 'CHN' },
  GATQW: { 否: '00' },
  POLITICAL_SHORT: { 少先队员: '14' },
  HEALTH: { 健康或良好: '1' },
  BLOOD: { 未知血型: '0' },
  HUKOU: { 非农业家庭户口: '1' },
  ENTRY_WAY: { 就近入学: '20' },
  STUDY_METHOD: { 走读: '1', 住校: '2' },
  STUDENT_SOURCE: { 正常入学: '1' },
  LEFT_BEHIND: { 非留守儿童: '0' },
  DISABILITY: { 无残疾: '0' },
  COMMUTE_WAY: { 步行: '1' },
}

/** A class of a grade; the path begins at the school. */
function classWord(dept_id: string, grade: string, own_name: string, path: string): ClassWord {
  return { dept_id, grade, stage: '1', own_name, dept_name: `一年级${own_name}`, path, label: `一年级${own_name}`, capacity: 2 }
}

export const words: StudentWords = {
  today: '2026-11-20',
  codes: new Map(Object.entries(dictionaries).map(([type, items]) => [type, new Map(Object.entries(items))])),
  names: new Map(Object.entries(dictionaries).map(([type, items]) => [type, new Map(Object.entries(items).map(([name, code]) => [code, name]))])),
  divisions: divisions(),
  classes: [
    classWord('11', '11', '1班', '一校/小学部/一年级/一年级1班'),
    classWord('12', '11', '2班', '一校/东校区/一年级/一年级2班'),
    classWord('13', '11', '2班', '一校/西校区/一年级/一年级2班'),
  ],
  custom: [],
  scope: 'all',
  keys: { data_key: Buffer.alloc(32, 1), id_index_key: Buffer.alloc(32, 2) },
}

/** The sample line of the template with some cells of its own. */
export function line(cells: Cells = {}): Cells {
  const sample = Object.fromEntries(student_columns.map(column => [column.prop, 'sample' in column ? column.sample : '']))
  return { ...sample, ...cells }
}

/** A line as the judge gets it. */
export function parsedLine(cells: Cells = {}): ParsedStudent {
  const { parsed } = checkStudent(words, line(cells))
  if (!parsed) throw new Error('the line cannot be judged')
  return parsed
}

/** An empty school with some facts of its own. */
export function snapshot(more: Partial<StudentSnapshot> = {}): StudentSnapshot {
  return {
    words,
    scope: 'all',
    by_no: new Map(),
    by_roll: new Map(),
    by_id: new Map(),
    links: new Map(),
    id_owners: new Map(),
    holders: new Map(),
    teacher_nos: new Set(),
    class_sizes: new Map(),
    ...more,
  }
}
