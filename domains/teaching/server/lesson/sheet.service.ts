import { weekday_names } from '@campus/teaching/contract'
import type { lessonApi, PlanLesson } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { headedSheet } from '@kit/server/excel'
import type { FileReply, Pre } from '@kit/server/http'
import type { Db, TeachingDb } from '../db.ts'
import { planOf } from './lesson.service.ts'

type Plan = Reply<typeof lessonApi.plan>
type Named = { term: string; grades: ReadonlyMap<string, string>; numbers: ReadonlyMap<string, string>; paths: ReadonlyMap<string, string> }
const columns = ['学期', '年级', '班级', '星期', '节次', '单双周', '课程', '教师工号', '上课地点', '教师姓名'] as const

/** Timetables in force on a day as a sheet: 课表导入's own columns, or sections × weekdays for reading (chapter 50 §6). @throws Refusal 404 */
export async function timetableSheet(pre: Pre, { view, target_ids, date, layout }: Input<typeof lessonApi.sheet>): Promise<FileReply> {
  const { me, now } = pre
  if (!me) throw fail(commonErrors.unauthorized)
  const { school_id } = me
  const { plans, names, school_name } = await pre.own<TeachingDb, { plans: Plan[]; names: Named; school_name: string }>(school_id, async db => {
    const read: Plan[] = []
    for (const target_id of target_ids) read.push(await planOf(db, school_id, { view, target_id, date }))
    const school = await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    return { plans: read, names: await readNames(db, school_id, date, read), school_name: school.school_name }
  })
  const conditions = [`日期：${date}`, `版本：${plans[0]?.version_name ?? '无'}`, plans.map(plan => plan.target_name).slice(0, 5).join('、')]
  const head = { school_name, me, now, conditions, unit: '行' }
  const days = [...new Set(plans.flatMap(plan => plan.weekdays))].toSorted((a, b) => a - b)
  const labels = layout === 'grid' ? ['对象', '节次', '时间', ...days.map(day => weekday_names[day] ?? '')] : columns
  const rows = plans.flatMap(plan => (layout === 'grid' ? gridRows(plan, days) : listRows(plan, names)))
  return headedSheet({ ...head, title: layout === 'grid' ? '课表' : '课表明细', columns: labels.map((label, at) => ({ label, text: (row: string[]) => row[at] ?? '' })), rows })
}

function gridRows({ target_name, lines, lessons }: Plan, days: readonly number[]): string[][] {
  return lines.map(line => [target_name, line.name, `${line.begin}-${line.end}`, ...days.map(day => lessons.filter(one => one.weekday === day && covers(one, line.section)).map(cellText).join('\n'))])
}

function covers({ section, span }: PlanLesson, at: number): boolean {
  return section !== null && section <= at && at < section + span
}

function cellText({ course_name, class_name, teachers, week_name }: PlanLesson): string {
  return [week_name === '每周' ? course_name : `${week_name}:${course_name}`, class_name, teachers.map(one => one.user_name).join('、')].filter(Boolean).join('\n')
}

function listRows({ lessons }: Plan, { term, grades, numbers, paths }: Named): string[][] {
  return lessons.toSorted((a, b) => (a.weekday ?? 0) - (b.weekday ?? 0) || (a.section ?? 0) - (b.section ?? 0)).map(one => {
    const grade = grades.get(one.grade) ?? one.grade
    return [
      term, grade, one.class_name.replace(grade, ''), weekday_names[one.weekday ?? 0] ?? '', String(one.section ?? ''), one.week_name, one.course_name,
      one.teachers.map(teacher => numbers.get(teacher.user_id) ?? '').join('；'), paths.get(one.place_id ?? '') ?? '', one.teachers.map(teacher => teacher.user_name).join('、'),
    ]
  })
}

async function readNames(db: Db, school_id: number, date: string, plans: readonly Plan[]): Promise<Named> {
  const term = await db.selectFrom('semester_v').select('name').where('school_id', '=', school_id).where('begin_date', '<=', date).where('end_date', '>=', date).executeTakeFirst()
  const grades = await db.selectFrom('dictionary_v').select(['sc_code_item', 'name']).where('school_id', '=', school_id).where('sc_code_type', '=', 'GRADE').execute()
  const staff = await db.selectFrom('live_staff').select(['user_id', 'teacher_no']).where('school_id', '=', school_id).execute()
  const place_ids = ['0', ...new Set(plans.flatMap(plan => plan.lessons.flatMap(one => one.place_id ?? [])))]
  const places = await db.selectFrom('place_live_v').select(['place_id', 'node_path_name']).where('school_id', '=', school_id).where('place_id', 'in', place_ids).execute()
  return {
    term: term?.name ?? '', grades: new Map(grades.map(one => [one.sc_code_item, one.name])), numbers: new Map(staff.map(one => [one.user_id, one.teacher_no])),
    paths: new Map(places.map(one => [one.place_id, one.node_path_name])),
  }
}
