import { DetailRow } from '@campus/attendance/contract'
import type { DetailQuery, Who } from '@campus/attendance/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { AttendanceCtx, Db } from '../db.ts'
import { teacherNames } from './names.ts'
import { daysOf, lessonOf, mostDays, resultRows } from './scope.ts'

const instant = z
  .date()
  .transform(at => at.toISOString())
  .nullable()
const Found = DetailRow.omit({ teacher_names: true, expect_kind: true }).extend({
  in_at: instant,
  out_at: instant,
  expect_kind: z.number().int(),
  teacher_ids: z.string().nullable(),
})

/** 个人明细: one row an expectation, the latest first. @throws Refusal 404, 400, 422 attend.range */
export async function pageDetails(ctx: AttendanceCtx, who: Who, query: DetailQuery): Promise<{ list: DetailRow[]; total: number }> {
  const { db, school_id } = ctx
  const where = await resultRows(ctx, who, query, daysOf(ctx.now, query, mostDays(query)))
  const page = sql`order by r.lesson_date desc, r.section, r.occurrence_id,
    r.user_id limit ${query.page_size} offset ${(query.page_index - 1) * query.page_size}`
  const list = await readDetails(db, school_id, where, page)
  const counted = await sql<{ n: number }>`select count(*)::int as n from attend_result r where ${where}`.execute(db)
  return { list, total: counted.rows[0]?.n ?? 0 }
}

/** Rows of results `r` with the names of what they number; `page` orders and cuts them. */
export async function readDetails(db: Db, school_id: number, where: RawBuilder<unknown>, page: RawBuilder<unknown>): Promise<DetailRow[]> {
  const { rows } = await sql`
    with r as materialized (select r.* from attend_result r where ${where} ${page})
    select r.lesson_date::text || '/' || r.expect_kind || '/' || r.occurrence_id || '/' || r.user_id as row_key,
      r.lesson_date::text as lesson_date, r.expect_kind::int as expect_kind, r.occurrence_id::text as occurrence_id,
        r.user_id::text as user_id,
      r.person_kind::int as person_kind, coalesce(p.display_name, '已注销人员') as user_name, u.user_no, d.dept_name,
      r.section::int as section, r.subject, c.course_name, k.class_name, l.teacher_ids::text as teacher_ids,
        r.place_id::text as place_id, w.place_name, r.role::int as role,
      r.in_at, r.out_at, r.identify_type::int as identify_type, r.state::int as state, r.late_min::int as late_min,
        r.early_min::int as early_min, r.flags, r.provisional,
      r.correction_id is not null as corrected
    from r ${lessonOf(school_id)}
    left join person_label p on p.school_id = ${school_id} and p.user_id = r.user_id
    left join school_user_v u on u.school_id = ${school_id} and u.user_id = r.user_id
    left join dept_now d on d.school_id = ${school_id} and d.id = r.dept_id
    left join course_name_v c on c.school_id = ${school_id} and c.course_id = r.course_id
    left join teaching_class_name_v k on k.school_id = ${school_id} and k.class_id = r.class_id
    left join place_path_v w on w.school_id = ${school_id} and w.place_id = r.place_id
    order by r.lesson_date desc, r.section, r.occurrence_id, r.user_id`.execute(db)
  const found = z.array(Found).parse(rows)
  const teachers = await teacherNames(db, school_id, [...new Set(found.flatMap(row => row.teacher_ids ?? []))])
  return found.map(({ teacher_ids, ...row }) => ({ ...row, teacher_names: teachers.get(teacher_ids ?? '') ?? '' }))
}
