import { grade_codes } from '@campus/calendar/contract'
import { COURSE_ATTR, COURSE_TYPE, CourseDraft } from '@campus/teaching/contract'
import { importTemplate, missingCells, undoByImage } from '@kit/server/excel'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, ImportColumn, Judgement } from '@kit/server/excel'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, TeachingDb } from '../db.ts'

type Words = { grades: ReadonlyMap<string, string>; subjects: ReadonlyMap<string, string> }
type Parsed = z.output<typeof CourseDraft>
type Known = { id: string; course_no: string; course_name: string; row_version: number }

const codeByName = (names: Readonly<Record<string, string>>) => new Map(Object.entries(names).map(([code, name]) => [name, code]))
const [types, attrs] = [codeByName(COURSE_TYPE.names), codeByName(COURSE_ATTR.names)]
const yes_no = new Map([['是', true], ['否', false]])
const plain = { required: false, options: null, text: false }
const Image = z.object({
  course_name: z.string(), subject: z.string(), grades: z.array(z.string()), course_type: z.string(), course_attr: z.string().nullable(), weekly: z.number(), walking: z.boolean(), color: z.string(),
})

function columnsOf({ subjects }: Words): ImportColumn[] {
  return [
    { ...plain, prop: 'course_no', label: '课程编号', required: true, text: true, sample: 'XX01YW', note: '字母和数字，最多50位' },
    { ...plain, prop: 'course_name', label: '课程名称', required: true, sample: '语文' },
    { ...plain, prop: 'subject', label: '学科', required: true, options: [...subjects.keys()], sample: '语文' },
    { ...plain, prop: 'grades', label: '适用年级', required: true, sample: '一年级；二年级', note: '多个年级用；分开' },
    { ...plain, prop: 'course_type', label: '课程类型', required: true, options: [...types.keys()], sample: '行政班课程' },
    { ...plain, prop: 'course_attr', label: '课程属性', options: [...attrs.keys()], sample: '必修' },
    { ...plain, prop: 'weekly', label: '周课时', required: true, sample: '8' },
    { ...plain, prop: 'walking', label: '是否走班', required: true, options: [...yes_no.keys()], sample: '否' },
    { ...plain, prop: 'color', label: '颜色', sample: '#4F8DF7', optional: true },
  ]
}

/** 课程导入: matched by the number of the course (chapter 50 §6). */
export const courseTemplate = importTemplate<TeachingDb, Words, Parsed, ReadonlyMap<string, Known>>({
  code: 'course', page: '/CourseSubjects', title: '课程导入', file_name: '课程导入模板.xlsx', sheet: '课程导入',
  notes: ['填写说明：红色列为必填；课程编号相同的行更新已有课程。'],
  need: 'teaching.course.import',
  words: async ({ db, school_id }) => {
    const items = await db.selectFrom('dictionary_v').select(['sc_code_type', 'sc_code_item', 'name']).where('school_id', '=', school_id).where('sc_code_type', 'in', ['GRADE', 'SUBJECT']).orderBy('order').execute()
    const of = (type: string) => new Map(items.filter(item => item.sc_code_type === type).map(item => [item.name, item.sc_code_item]))
    return { grades: of('GRADE'), subjects: of('SUBJECT') }
  },
  columns: words => columnsOf(words),
  check: (words, cells) => checkLine(words, cells),
  keys: ({ course_no }) => [{ prop: 'course_no', key: course_no }],
  load: async ({ db, school_id }, rows) => new Map((await readKnown(db, school_id, rows.map(row => row.parsed.course_no))).map(one => [one.course_no, one])),
  judge: ({ parsed }, known) => judgeLine(parsed, known.get(parsed.course_no)),
  apply: (step, rows) => applyLines(step, rows),
  undo: {
    async marks({ db, school_id }, keys, lock) {
      const found = await db.selectFrom('course').select(['id', 'row_version']).where('school_id', '=', school_id).where('id', 'in', ['0', ...keys]).orderBy('id').$if(lock, query => query.forUpdate()).execute()
      return new Map(found.map(({ id, row_version }) => [id, String(row_version)]))
    },
    reason: () => '课程已被修改或已使用，不能撤销',
    undo: ({ db, school_id, now }, rows, kept) => undoByImage(rows, kept, {
      image: z.object({ id: z.string() }).and(Image),
      key: id => id,
      remove: async ids => {
        if (ids.length === 0) return
        await db.deleteFrom('course').where('school_id', '=', school_id).where('id', 'in', [...ids]).where(sql<boolean>`id not in (select course_id from teaching where school_id = ${school_id})`).execute()
      },
      restore: async ({ id, ...image }) => {
        await db.updateTable('course').set({ ...image, row_version: sql<number>`row_version + 1`, updated_at: now }).where('school_id', '=', school_id).where('id', '=', id).execute()
      },
    }),
  },
})

function checkLine(words: Words, cells: Cells): Checked<Parsed> {
  const errors = missingCells(columnsOf(words), cells)
  const { course_no = '', course_name = '', subject = '', grades = '', course_type = '', course_attr = '', weekly = '', walking = '', color = '' } = cells
  const named = grades.split(/[；;、,，]/u).map(part => part.trim()).filter(Boolean)
  const codes = named.flatMap(name => grade_codes.find(code => code === words.grades.get(name)) ?? [])
  if (codes.length < named.length) errors.push({ prop: 'grades', msg: '年级不存在' })
  for (const [prop, text, known] of [['subject', subject, words.subjects], ['course_type', course_type, types], ['course_attr', course_attr, attrs], ['walking', walking, yes_no]] as const) {
    if (text !== '' && !known.has(text)) errors.push({ prop, msg: '字典值不存在' })
  }
  if (errors.length > 0) return { parsed: null, errors, warnings: [] }
  const checked = CourseDraft.safeParse({
    course_no, course_name, subject: words.subjects.get(subject), grades: codes, course_type: types.get(course_type), course_attr: attrs.get(course_attr) ?? null, weekly: Number(weekly), walking: yes_no.get(walking), ...(color === '' ? {} : { color }),
  })
  if (checked.success) return { parsed: checked.data, errors, warnings: [] }
  return { parsed: null, errors: checked.error.issues.map(({ path, message }) => ({ prop: String(path[0]), msg: message })), warnings: [] }
}

function readKnown(db: Db, school_id: number, numbers: readonly string[]) {
  return db.selectFrom('course').select(['id', 'course_no', 'course_name', 'subject', 'grades', 'course_type', 'course_attr', 'weekly', 'walking', 'color', 'row_version']).where('school_id', '=', school_id).where('course_no', 'in', ['', ...numbers]).execute()
}

function judgeLine(parsed: Parsed, known: Known | undefined): Judgement {
  const found = { errors: [], warnings: [] }
  if (!known) return { ...found, verdict: 'new', target_id: null, diff: [{ prop: 'course_name', before: '', after: parsed.course_name }] }
  const { row_version, id, ...before } = known
  const entries = Object.entries(before)
  const after: Readonly<Record<string, unknown>> = parsed
  const diff = entries.filter(([prop, value]) => String(value ?? '') !== String(after[prop] ?? '')).map(([prop, value]) => ({ prop, before: String(value ?? ''), after: String(after[prop] ?? '') }))
  return { ...found, verdict: diff.length === 0 ? 'same' : 'change', target_id: id, basis: String(row_version), diff }
}

async function applyLines({ db, school_id, now }: ApplyStep<TeachingDb>, rows: readonly ApplyRow<Parsed>[]): Promise<AppliedRow[]> {
  const known = new Map((await readKnown(db, school_id, rows.map(row => row.parsed.course_no))).map(one => [one.course_no, one]))
  const applied: AppliedRow[] = []
  for (const { row_no, parsed } of rows) {
    const before = known.get(parsed.course_no)
    const { double: _double, place_kind: _place, course_no: _no, ...patch } = parsed
    const row = before
      ? await db.updateTable('course').set({ ...patch, row_version: before.row_version + 1, updated_at: now }).where('school_id', '=', school_id).where('id', '=', before.id).returning(['id', 'row_version']).executeTakeFirstOrThrow()
      : await db.insertInto('course').values({ ...parsed, school_id, updated_at: now }).returning(['id', 'row_version']).executeTakeFirstOrThrow()
    applied.push({ row_no, target_id: row.id, before: { image: before ?? null }, touched: [{ key: row.id, mark: String(row.row_version) }] })
  }
  return applied
}
