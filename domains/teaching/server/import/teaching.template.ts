import { importTemplate, missingCells } from '@kit/server/excel'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, ImportColumn, Issue, Judgement } from '@kit/server/excel'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, TeachingDb } from '../db.ts'
import { openClasses } from '../plan/plan.queries.ts'

type Parsed = { semester: string; grade: string; class_name: string; course: string; teacher_nos: string[]; teacher_name: string; weekly: number | null }
type Course = { id: string; course_name: string; grades: string[]; weekly: number; double: number; archived: boolean }
type Present = { id: string; weekly_odd: number; weekly_even: number; teacher_ids: string[]; row_version: number }
type Snapshot = {
  terms: ReadonlyMap<string, { semester_id: number; is_closed: boolean }>
  classes: ReadonlyMap<string, { dept_id: string; grade: string }>
  courses: readonly Course[]
  staff: ReadonlyMap<string, { user_id: string; user_name: string }>
  present: ReadonlyMap<string, Present>
}
const plain = { required: false, options: null, text: false }
const columns: ImportColumn[] = [
  { ...plain, prop: 'semester', label: '学期', required: true, sample: '2026-2027学年第一学期' },
  { ...plain, prop: 'grade', label: '年级', required: true, sample: '一年级' },
  { ...plain, prop: 'class_name', label: '班级', required: true, sample: '1班' },
  { ...plain, prop: 'course', label: '课程', required: true, sample: '语文' },
  { ...plain, prop: 'teacher_no', label: '教师工号', required: true, text: true, sample: 'T20250001', note: '多位教师用；分开，第一位为主讲' },
  { ...plain, prop: 'teacher_name', label: '教师姓名', sample: '陈晓华' },
  { ...plain, prop: 'weekly', label: '周课时', sample: '8', note: '不填则取课程的周课时' },
]
const most_weekly = 20
const Before = z.object({ weekly_odd: z.number(), weekly_even: z.number(), teacher_ids: z.array(z.string()) }).nullable()

/** 教师任课导入: matched by term, class and course (chapter 50 §6). */
export const teachingTemplate = importTemplate<TeachingDb, null, Parsed, Snapshot>({
  code: 'teaching', page: '/TeacherTeaching', title: '教师任课导入', file_name: '任课导入模板.xlsx', sheet: '教师任课导入',
  notes: ['填写说明：红色列为必填；同一学期、班级、课程已有任课时更新教师和周课时。'],
  need: 'teaching.teaching.import',
  words: () => Promise.resolve(null),
  columns: () => columns,
  check: (_words, cells) => checkLine(cells),
  keys: ({ semester, grade, class_name, course }) => [{ prop: 'course', key: `${semester} ${grade}${class_name.replace(grade, '')} ${course}` }],
  load: ({ db, school_id }, rows) => loadSnapshot(db, school_id, rows.map(row => row.parsed)),
  judge: ({ parsed }, snapshot) => judgeLine(parsed, snapshot),
  apply: (step, rows, snapshot) => applyLines(step, rows, snapshot),
  undo: {
    async marks({ db, school_id }, keys, lock) {
      const found = await db.selectFrom('teaching').select(['id', 'row_version']).where('school_id', '=', school_id).where('id', 'in', ['0', ...keys]).orderBy('id').$if(lock, query => query.forUpdate()).execute()
      return new Map(found.map(({ id, row_version }) => [id, String(row_version)]))
    },
    reason: () => '任课已被修改或已排课，不能撤销',
    async undo({ db, school_id, now }, rows, kept) {
      for (const { target_id, before } of rows.filter(row => !kept.has(row.target_id))) {
        const image = Before.parse(before)
        if (image) await db.updateTable('teaching').set({ ...image, row_version: sql<number>`row_version + 1`, updated_at: now }).where('school_id', '=', school_id).where('id', '=', target_id).execute()
        else await db.deleteFrom('teaching').where('school_id', '=', school_id).where('id', '=', target_id).where(sql<boolean>`id not in (select teaching_id from lesson where school_id = ${school_id})`).execute()
      }
    },
  },
})

function checkLine(cells: Cells): Checked<Parsed> {
  const errors = missingCells(columns, cells)
  const { semester = '', grade = '', class_name = '', course = '', teacher_no = '', teacher_name = '', weekly = '' } = cells
  const lessons = weekly === '' ? null : Number(weekly)
  if (lessons !== null && (!Number.isInteger(lessons) || lessons < 1 || lessons > most_weekly)) errors.push({ prop: 'weekly', msg: '周课时为1至20的整数' })
  if (errors.length > 0) return { parsed: null, errors, warnings: [] }
  const teacher_nos = teacher_no.split(/[；;、,，]/u).map(part => part.trim()).filter(Boolean)
  return { parsed: { semester, grade, class_name, course, teacher_nos, teacher_name, weekly: lessons }, errors, warnings: [] }
}

async function loadSnapshot(db: Db, school_id: number, parsed: readonly Parsed[]): Promise<Snapshot> {
  const terms = await db.selectFrom('semester_v').select(['semester_id', 'name', 'is_closed']).where('school_id', '=', school_id).execute()
  const depts = await db.selectFrom('dept_now').select(['id', 'dept_name', 'pname', 'grade']).where('school_id', '=', school_id).where('dept_type', '=', 4).execute()
  const courses = await db.selectFrom('course').select(['id', 'course_name', 'grades', 'weekly', 'double', 'archived']).where('school_id', '=', school_id).execute()
  const staff = await db.selectFrom('live_staff').select(['user_id', 'user_name', 'teacher_no']).where('school_id', '=', school_id).where('teacher_no', 'in', ['', ...parsed.flatMap(row => row.teacher_nos)]).execute()
  const present = await db.selectFrom('teaching as t').innerJoin('teaching_class as c', on => on.onRef('c.id', '=', 't.class_id').on('c.school_id', '=', school_id))
    .select(['t.id', 't.semester_id', 'c.dept_id', 't.course_id', 't.weekly_odd', 't.weekly_even', 't.teacher_ids', 't.row_version']).where('t.school_id', '=', school_id).execute()
  return {
    terms: new Map(terms.map(({ name, ...term }) => [name, term])),
    classes: new Map(depts.flatMap(({ id, dept_name, pname, grade }) => (grade === null ? [] : [[`${pname ?? ''}${dept_name.replace(pname ?? '', '')}`, { dept_id: id, grade }] as const]))),
    courses,
    staff: new Map(staff.map(({ teacher_no, ...one }) => [teacher_no, one])),
    present: new Map(present.map(({ semester_id, dept_id, course_id, ...row }) => [`${semester_id} ${dept_id ?? ''} ${course_id}`, row])),
  }
}

/** What a line names, as far as it is there. */
function resolve(parsed: Parsed, { terms, classes, courses, staff, present }: Snapshot) {
  const { grade, class_name, semester } = parsed
  const term = terms.get(semester)
  const own = classes.get(`${grade}${class_name.replace(grade, '')}`)
  const named = courses.filter(course => course.course_name === parsed.course && !course.archived)
  const course = named.find(one => own !== undefined && one.grades.includes(own.grade)) ?? named[0]
  const teachers = parsed.teacher_nos.map(no => staff.get(no))
  const known = term && own && course ? present.get(`${term.semester_id} ${own.dept_id} ${course.id}`) : undefined
  return { term, own, course, teachers, known }
}

function judgeLine(parsed: Parsed, snapshot: Snapshot): Judgement {
  const { term, own, course, teachers, known } = resolve(parsed, snapshot)
  const errors: Issue[] = []
  if (!term) errors.push({ prop: 'semester', msg: '学期不存在' })
  else if (term.is_closed) errors.push({ prop: 'semester', msg: '学期已归档' })
  if (!own) errors.push({ prop: 'class_name', msg: '班级不存在' })
  if (!course) errors.push({ prop: 'course', msg: '课程不存在' })
  else if (own && !course.grades.includes(own.grade)) errors.push({ prop: 'course', msg: '课程不适用该年级' })
  if (teachers.includes(undefined)) errors.push({ prop: 'teacher_no', msg: '教师工号不存在' })
  else if (parsed.teacher_name !== '' && teachers[0]?.user_name !== parsed.teacher_name) errors.push({ prop: 'teacher_name', msg: '姓名与工号不一致' })
  const weekly = parsed.weekly ?? course?.weekly ?? 0
  const teacher_ids = teachers.map(one => one?.user_id ?? '')
  const nameOf = (ids: readonly string[]) => [...snapshot.staff.values()].filter(one => ids.includes(one.user_id)).map(one => one.user_name).join('、')
  const diff = [
    ...(known && known.weekly_odd === weekly && known.weekly_even === weekly ? [] : [{ prop: 'weekly', before: known ? String(known.weekly_odd) : '', after: String(weekly) }]),
    ...(known?.teacher_ids.join() === teacher_ids.join() ? [] : [{ prop: 'teacher_no', before: known ? nameOf(known.teacher_ids) : '', after: nameOf(teacher_ids) }]),
  ]
  const verdict = !known ? 'new' : diff.length === 0 ? 'same' : 'change'
  return { verdict, target_id: known?.id ?? null, basis: known ? String(known.row_version) : null, diff, errors, warnings: [] }
}

async function applyLines({ db, school_id, now }: ApplyStep<TeachingDb>, rows: readonly ApplyRow<Parsed>[], snapshot: Snapshot): Promise<AppliedRow[]> {
  const applied: AppliedRow[] = []
  for (const { row_no, parsed } of rows) {
    const { term, own, course, teachers, known } = resolve(parsed, snapshot)
    if (!term || !own || !course) continue
    const weekly = parsed.weekly ?? course.weekly
    const cell = { weekly_odd: weekly, weekly_even: weekly, teacher_ids: teachers.flatMap(one => one?.user_id ?? []), double: Math.min(course.double, Math.floor(weekly / 2)), updated_at: now }
    const class_id = (await openClasses(db, school_id, term.semester_id, [own.dept_id])).get(own.dept_id) ?? ''
    const row = known
      ? await db.updateTable('teaching').set({ ...cell, row_version: known.row_version + 1 }).where('school_id', '=', school_id).where('id', '=', known.id).returning(['id', 'row_version']).executeTakeFirstOrThrow()
      : await db.insertInto('teaching').values({ ...cell, school_id, semester_id: term.semester_id, class_id, course_id: course.id }).returning(['id', 'row_version']).executeTakeFirstOrThrow()
    const before = known ? { weekly_odd: known.weekly_odd, weekly_even: known.weekly_even, teacher_ids: known.teacher_ids } : null
    applied.push({ row_no, target_id: row.id, before, touched: [{ key: row.id, mark: String(row.row_version) }] })
  }
  return applied
}
