import { weekday_names } from '@campus/teaching/contract'
import type { lessonApi, PlanLesson, tableFileApi } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { headedSheet } from '@kit/server/excel'
import type { FileReply, Pre } from '@kit/server/http'
import type { Db, TeachingDb } from '../db.ts'
import { placeNames, teacherNames } from '../plan/plan.queries.ts'
import { loadWorld, readLessons } from '../timetable/context.queries.ts'
import type { LessonRow } from '../timetable/context.queries.ts'
import { linesOf, planLesson, requireVersion } from '../timetable/version.queries.ts'
import { planOf } from './lesson.service.ts'

type Plan = Reply<typeof lessonApi.plan>
type Layout = 'rows' | 'grid'
type Named = {
  term: string; grades: ReadonlyMap<string, string>; numbers: ReadonlyMap<string, string>; paths: ReadonlyMap<string, string>
  /** the room of a class */
  homes: ReadonlyMap<string, string | null>
}
type Read = { plans: Plan[]; names: Named; school_name: string }
const columns = ['学期', '年级', '班级', '星期', '节次', '单双周', '课程', '教师工号', '上课地点', '教师姓名'] as const

/** Timetables in force on a day as a sheet: 课表导入's own columns, or sections × weekdays (chapter 50 §6). @throws Refusal 404 */
export async function timetableSheet(pre: Pre, { view, target_ids, date, layout }: Input<typeof lessonApi.sheet>): Promise<FileReply> {
  const read = await inSchool(pre, async (db, school_id) => {
    const plans: Plan[] = []
    for (const target_id of target_ids) plans.push(await planOf(db, school_id, { view, target_id, date }))
    const term = await db.selectFrom('semester_v').select('name').where('school_id', '=', school_id).where('begin_date', '<=', date)
      .where('end_date', '>=', date).executeTakeFirst()
    return { plans, term: term?.name ?? '' }
  })
  return writeSheet(pre, read, { layout, is_class: view === 'class', about: `日期：${date}` })
}

/** All classes of a version, placed lessons only, in either layout: what comes out goes back in unchanged. @throws Refusal 404 */
export async function versionSheet(pre: Pre, { id, layout }: Input<typeof tableFileApi.sheet>): Promise<FileReply> {
  const read = await inSchool(pre, async (db, school_id) => {
    const version = await requireVersion(db, school_id, id)
    const rows = await readLessons(db, school_id, [id])
    const world = await loadWorld(db, school_id, version.terms)
    const teacher = await teacherNames(db, school_id, rows.flatMap(row => row.teacher_ids))
    const place = await placeNames(db, school_id, rows.flatMap(row => row.place_id ?? row.home_place_id ?? []))
    const classes = [...Map.groupBy(rows, row => row.class_id).values()].toSorted((a, b) => keyOf(a).localeCompare(keyOf(b), 'zh',
      { numeric: true }))
    const plans = classes.map((own): Plan => {
      const lessons = own.filter(row => row.weekday !== null).map(row => planLesson(row, world, { teacher, place }))
      const weekdays = [...new Set([...workdays, ...lessons.flatMap(one => one.weekday ?? [])])].toSorted((a, b) => a - b)
      return { target_name: own[0]?.class_name ?? '', version_name: `${version.table_name} v${version.version_no}`,
        valid_from: version.valid_from,
        lines: linesOf(world, [own[0]?.grade ?? '']), weekdays, lessons }
    })
    return { plans, term: version.terms[0]?.name ?? '' }
  })
  return writeSheet(pre, read, { layout, is_class: true, about: '整份课表' })
}

const keyOf = ([first]: readonly LessonRow[]) => `${first?.grade ?? ''} ${first?.class_name ?? ''}`
const workdays = [1, 2, 3, 4, 5]

async function inSchool(pre: Pre, read: (db: Db, school_id: number) => Promise<{ plans: Plan[]; term: string }>): Promise<Read> {
  const { me } = pre
  if (!me) throw fail(commonErrors.unauthorized)
  const { school_id } = me
  return pre.own<TeachingDb, Read>(school_id, async db => {
    const { plans, term } = await read(db, school_id)
    const school = await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    return { plans, names: { term, ...(await readNames(db, school_id, plans)) }, school_name: school.school_name }
  })
}

async function writeSheet({ me, now }: Pre, { plans, names, school_name }: Read, { layout, is_class,
  about }: { layout: Layout; is_class: boolean; about: string }): Promise<FileReply> {
  if (!me) throw fail(commonErrors.unauthorized)
  const conditions = [about, `版本：${plans[0]?.version_name ?? '无'}`, plans.map(plan => plan.target_name).slice(0, 5).join('、')]
  const days = [...new Set(plans.flatMap(plan => plan.weekdays))].toSorted((a, b) => a - b)
  const labels = layout === 'grid' ? [is_class ? '班级' : '对象', '节次', '时间', ...days.map(day => weekday_names[day] ?? '')] : columns
  const rows = plans.flatMap(plan => (layout === 'grid' ? gridRows(plan, days, names, is_class) : listRows(plan, names)))
  return headedSheet({ school_name, me, now, conditions, unit: '行', title: layout === 'grid' ? '课表' : '课表明细',
    columns: labels.map((label, at) => ({ label, text: (row: string[]) => row[at] ?? '' })), rows })
}

function gridRows({ target_name, lines, lessons }: Plan, days: readonly number[], names: Named, is_class: boolean): string[][] {
  const text = (line: number, day: number) => lessons.filter(one => one.weekday === day && covers(one, line))
    .map(one => cellText(one, names, is_class)).join('\n')
  return lines.map(line => [target_name, `第${line.section}节`, `${line.begin}-${line.end}`, ...days.map(day => text(line.section, day))])
}

function covers({ section, span }: PlanLesson, at: number): boolean {
  return section !== null && section <= at && at < section + span
}

/** Course, teachers, and the place where it is not the class's own: as 课表导入 reads it again. */
function cellText({ course_name, class_id, class_name, teachers, week_name, place_id }: PlanLesson, { homes, paths }: Named,
  is_class: boolean): string {
  const place = place_id === null || homes.get(class_id) === place_id ? '' : `@${paths.get(place_id) ?? ''}`
  const course = week_name === '每周' ? course_name : `${week_name}:${course_name}`
  return [course, is_class ? '' : class_name, teachers.map(one => one.user_name).join('、'), is_class ? place : '']
    .filter(Boolean).join('\n')
}

/** One row for each section of a lesson. */
function listRows({ lessons }: Plan, { term, grades, numbers, paths }: Named): string[][] {
  return lessons.toSorted((a, b) => (a.weekday ?? 0) - (b.weekday ?? 0) || (a.section ?? 0) - (b.section ?? 0)).flatMap(one => {
    const grade = grades.get(one.grade) ?? one.grade
    return Array.from({ length: one.span }, (_, at) => [
      term, grade, one.class_name.replace(grade, ''), weekday_names[one.weekday ?? 0] ?? '', String((one.section ?? 0) + at), one.week_name,
      one.course_name, one.teachers.map(teacher => numbers.get(teacher.user_id) ?? '').join('；'), paths.get(one.place_id ?? '') ?? '',
      one.teachers.map(teacher => teacher.user_name).join('、'),
    ])
  })
}

async function readNames(db: Db, school_id: number, plans: readonly Plan[]): Promise<Omit<Named, 'term'>> {
  const lessons = plans.flatMap(plan => plan.lessons)
  const grades = await db.selectFrom('dictionary_v').select(['sc_code_item', 'name']).where('school_id', '=', school_id)
    .where('sc_code_type', '=', 'GRADE').execute()
  const staff = await db.selectFrom('live_staff').select(['user_id', 'teacher_no']).where('school_id', '=', school_id).execute()
  const place_ids = ['0', ...new Set(lessons.flatMap(one => one.place_id ?? []))]
  const places = await db.selectFrom('place_live_v').select(['place_id', 'node_path_name']).where('school_id', '=', school_id)
    .where('place_id', 'in', place_ids).execute()
  const classes = await db.selectFrom('teaching_class').select(['id', 'home_place_id']).where('school_id', '=', school_id)
    .where('id', 'in', ['0', ...new Set(lessons.map(one => one.class_id))]).execute()
  return {
    grades: new Map(grades.map(one => [one.sc_code_item, one.name])), numbers: new Map(staff.map(one => [one.user_id, one.teacher_no])),
    paths: new Map(places.map(one => [one.place_id, one.node_path_name])), homes: new Map(classes.map(one => [one.id, one.home_place_id])),
  }
}
