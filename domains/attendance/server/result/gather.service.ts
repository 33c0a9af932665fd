import { attend_reports, attended_states, counted_states, gather_keys, most_detail_days, most_term_days } from '@campus/attendance/contract'
import type { AttendQuery, AttendReply, GatherKind, LessonKind, Who } from '@campus/attendance/contract'
import { readReport } from '@kit/server/report'
import type { ReportSource } from '@kit/server/report'
import { sql } from 'kysely'
import type { AttendanceCtx } from '../db.ts'
import { classNames, courseNames, personDepts, personNames, personNumbers, placeNames, teacherNames } from './names.ts'
import { daysOf, lessonOf, resultRows } from './scope.ts'

type Source = ReportSource<
  (typeof attend_reports)['student']['gather']['subject']['keys'],
  (typeof attend_reports)['student']['gather']['subject']['measures']
>

const inState = (...states: readonly number[]) => sql`count(*) filter (where r.state = any(${[...states]}::int[]))`
/** The ten states add up to 应到 (chapter 55 §3.20). */
const measures: Source['measures'] = {
  expected: sql`count(*)`,
  normal: inState(1),
  late: inState(2),
  early: inState(3),
  absent: inState(4),
  leave: inState(5),
  waiting: inState(6),
  made_up: inState(7),
  outside: inState(8),
  exempt: inState(9),
  unverified: inState(10),
  attended: inState(...attended_states),
  counted: inState(...counted_states),
  late_min: sql`coalesce(sum(r.late_min), 0)`,
}
const by_id = {
  user_id: sql`r.user_id::text`,
  place_id: sql`r.place_id::text`,
  course_id: sql`r.course_id::text`,
  section: sql`r.section::int`,
} as const

/** A gather of chapter 55 §5, worst first. @throws Refusal 404, 400, 422 for too many days */
export async function readGather(ctx: AttendanceCtx, who: Who, kind: GatherKind, query: AttendQuery): Promise<AttendReply> {
  const days = daysOf(ctx.now, query, most_term_days)
  const rows = sql`from attend_result r where ${await resultRows(ctx, who, query, days)}`
  const grouped: readonly (keyof typeof by_id)[] = gather_keys[kind]
  const keys = Object.fromEntries(grouped.map(key => [key, by_id[key]]))
  return readReport(
    ctx.db,
    attend_reports[who].gather[kind],
    { rows, keys, measures, labels: labelsOf(ctx, grouped), order: '-absent' },
    { ...query, ...days },
  )
}

/** Names of what the shown keys number. */
function labelsOf({ db, school_id }: AttendanceCtx, keys: readonly string[]): NonNullable<Source['labels']> {
  const person: Source['labels'] = {
    user_name: { of: 'user_id', names: ids => personNames(db, school_id, ids) },
    user_no: { of: 'user_id', names: ids => personNumbers(db, school_id, ids) },
    dept_name: { of: 'user_id', names: ids => personDepts(db, school_id, ids) },
  }
  return {
    ...(keys.includes('user_id') ? person : {}),
    ...(keys.includes('place_id') ? { place_name: { of: 'place_id', names: ids => placeNames(db, school_id, ids) } } : {}),
    ...(keys.includes('course_id') ? { course_name: { of: 'course_id', names: ids => courseNames(db, school_id, ids) } } : {}),
  }
}

/** Lessons one by one, by day or by room. @throws Refusal 404, 400, 422 attend.range */
export async function readLessons(ctx: AttendanceCtx, who: Who, kind: LessonKind, query: AttendQuery): Promise<AttendReply> {
  const { db, school_id } = ctx
  const days = daysOf(ctx.now, query, most_detail_days)
  const rows = sql`from attend_result r ${lessonOf(school_id)} where ${await resultRows(ctx, who, query, days)}`
  const keys: Source['keys'] = {
    lesson_date: sql`r.lesson_date::text`,
    section: sql`r.section::int`,
    occurrence_id: sql`r.occurrence_id::text`,
    place_id: sql`r.place_id::text`,
    course_id: sql`r.course_id::text`,
    class_id: sql`r.class_id::text`,
    teacher_ids: sql`l.teacher_ids::text`,
  }
  const labels: Source['labels'] = {
    ...labelsOf(ctx, ['place_id', 'course_id']),
    class_name: { of: 'class_id', names: ids => classNames(db, school_id, ids) },
    teacher_names: { of: 'teacher_ids', names: lists => teacherNames(db, school_id, lists) },
  }
  return readReport(
    db,
    attend_reports[who].lesson[kind],
    { rows, keys, measures, labels, order: kind === 'classroom' ? 'place_name' : '-lesson_date' },
    { ...query, ...days },
  )
}
