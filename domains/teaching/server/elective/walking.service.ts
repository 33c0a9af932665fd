import type { walkingApi } from '@campus/teaching/contract'
import { deptScope, inScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { TeachingCtx } from '../db.ts'
import { named, placeNames, teacherNames } from '../plan/plan.queries.ts'

/** Walking, combined and elective classes in use, those of the latest term first. */
export async function listWalking({ db, school_id, now }: TeachingCtx,
  { page_index, page_size, keyword, kind, grade }: Input<typeof walkingApi.list>): Promise<Reply<typeof walkingApi.list>> {
  const today = schoolDay(now)
  const which = db.selectFrom('teaching_class as c').where('c.school_id', '=', school_id).where('c.kind', '<>', 1).where('c.state', '=', 1)
    .$if(kind !== undefined, query => query.where('c.kind', '=', Number(kind)))
    .$if(grade !== undefined, query => query.where('c.grade', '=', grade ?? ''))
      .$if(keyword !== undefined, query => query.where(nameHas(nameKeyOf('c.name'), keyword ?? '')))
  const rows = await which.leftJoin('course as k', on => on.onRef('k.id', '=', 'c.course_id').on('k.school_id', '=', school_id))
    .leftJoin('semester_v as m', on => on.onRef('m.semester_id', '=', 'c.semester_id').on('m.school_id', '=', school_id))
    .select(['c.id', 'c.name', 'c.kind', 'c.grade', 'c.capacity', 'c.home_place_id', 'k.course_name', 'm.name as semester_name'])
      .orderBy('c.semester_id', 'desc').orderBy('c.grade').orderBy('c.name').limit(page_size).offset((page_index - 1) * page_size).execute()
  const { total } = await which.select(eb => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const ids = ['0', ...rows.map(row => row.id)]
  const { rows: sizes } = await sql<{ class_id: string; count: number }>`
    select class_id::text as class_id, count(*)::int as count from teaching_class_student
    where school_id = ${school_id} and class_id = any(${ids}::bigint[]) and (valid_to is null or valid_to > ${today}::date) group by class_id`.execute(db)
  const taught = await db.selectFrom('teaching').select(['class_id', 'teacher_ids']).where('school_id', '=', school_id)
    .where('class_id', 'in', ids).execute()
  const names = await teacherNames(db, school_id, taught.flatMap(one => one.teacher_ids))
  const places = await placeNames(db, school_id, rows.flatMap(row => row.home_place_id ?? []))
  const list = rows.map(({ home_place_id, course_name, semester_name, ...row }) => ({
    ...row, course_name: course_name ?? '', semester_name: semester_name ?? '',
      place_name: home_place_id === null ? '' : (places.get(home_place_id) ?? ''),
      students: sizes.find(one => one.class_id === row.id)?.count ?? 0,
    teachers: named(taught.filter(one => one.class_id === row.id).flatMap(one => one.teacher_ids), names)
      .map(one => one.user_name).join('、'),
  }))
  return { list, total: Number(total) }
}

/** The roster of a teaching class from today on, within the caller's classes. @throws Refusal 404 */
export async function listClassStudents(ctx: TeachingCtx, id: string): Promise<Reply<typeof walkingApi.students>> {
  const { db, school_id, now } = ctx
  const scope = await deptScope(ctx, 'student')
  const own = await db.selectFrom('teaching_class').select('id').where('school_id', '=', school_id).where('id', '=', id)
    .where('kind', '<>', 1).executeTakeFirst()
  if (!own) throw fail(commonErrors.notFound)
  const list = await db.selectFrom('teaching_class_student as s')
    .innerJoin('live_student as l', on => on.onRef('l.user_id', '=', 's.student_id').on('l.school_id', '=', school_id))
    .where('s.school_id', '=', school_id).where('s.class_id', '=', id)
    .where(sql<boolean>`(s.valid_to is null or s.valid_to > ${schoolDay(now)}::date)`).where(inScope('l.dept_id', scope))
      .select(['s.student_id', 'l.student_no', 'l.user_name', 'l.dept_name', 's.valid_from']).orderBy('l.student_no').execute()
  return { list }
}
