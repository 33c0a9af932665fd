import { CourseRow, teachingErrors } from '@campus/teaching/contract'
import type { courseApi } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, TeachingCtx } from '../db.ts'

const columns = ['id', 'course_no', 'course_name', 'subject', 'grades', 'course_type', 'course_attr', 'weekly', 'double', 'walking', 'place_kind', 'color', 'archived', 'row_version'] as const

/** A page of courses: those in use first, by subject. */
export async function listCourses({ db, school_id }: TeachingCtx, { page_index, page_size, keyword, subject, grade, course_type, state }: Input<typeof courseApi.list>): Promise<Reply<typeof courseApi.list>> {
  const which = db.selectFrom('course').where('school_id', '=', school_id)
    .$if(keyword !== undefined, query => query.where(eb => eb.or([nameHas(nameKeyOf('course_name'), keyword ?? ''), sql<boolean>`starts_with(lower(course_no), lower(${keyword ?? ''}))`])))
    .$if(subject !== undefined, query => query.where('subject', '=', subject ?? ''))
    .$if(grade !== undefined, query => query.where(sql<boolean>`${grade ?? ''} = any(grades)`))
    .$if(course_type !== undefined, query => query.where('course_type', '=', course_type ?? ''))
    .$if(state !== undefined, query => query.where('archived', '=', state === '0'))
  const rows = await which.select(columns).orderBy('archived').orderBy('subject').orderBy('course_no').limit(page_size).offset((page_index - 1) * page_size).execute()
  const { total } = await which.select(eb => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { list: z.array(CourseRow).parse(rows), total: Number(total) }
}

/** All courses, for choosing one. */
export async function allCourses({ db, school_id }: TeachingCtx): Promise<Reply<typeof courseApi.all>> {
  return { list: z.array(CourseRow).parse(await db.selectFrom('course').select(columns).where('school_id', '=', school_id).orderBy('archived').orderBy('subject').orderBy('course_no').execute()) }
}

/** @throws Refusal 409 courseNoTaken, courseNameTaken */
export async function addCourse(ctx: TeachingCtx, draft: Input<typeof courseApi.add>): Promise<Reply<typeof courseApi.add>> {
  const { db, school_id, now } = ctx
  const { id } = await db.insertInto('course').values({ ...draft, school_id, updated_at: now }).returning('id').executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'teaching.course', target_id: id, target_name: draft.course_name, after: { ...draft } })
  return { row: await readCourse(db, school_id, id) }
}

/** @throws Refusal 404, 409 staleRow, courseNameTaken */
export async function updateCourse(ctx: TeachingCtx, { id, row_version, ...patch }: Input<typeof courseApi.update>): Promise<Reply<typeof courseApi.update>> {
  const { db, school_id, now } = ctx
  const before = await readCourse(db, school_id, id)
  const { numUpdatedRows } = await db.updateTable('course').set({ ...patch, row_version: row_version + 1, updated_at: now }).where('school_id', '=', school_id).where('id', '=', id).where('row_version', '=', row_version).executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw fail(teachingErrors.staleRow)
  ctx.note({ target_kind: 'teaching.course', target_id: id, target_name: patch.course_name, before: { ...before }, after: { ...patch } })
  return { row: await readCourse(db, school_id, id) }
}

/** 启用 or 停用. @throws Refusal 404 when one of them is not the school's */
export async function enableCourses(ctx: TeachingCtx, { ids, enabled }: Input<typeof courseApi.enable>): Promise<Reply<typeof courseApi.enable>> {
  const { db, school_id, now } = ctx
  const found = await db.selectFrom('course').select(['id', 'archived']).where('school_id', '=', school_id).where('id', 'in', [...new Set(ids)]).forUpdate().execute()
  if (found.length < new Set(ids).size) throw fail(commonErrors.notFound)
  const turned = found.filter(({ archived }) => archived === enabled).map(({ id }) => id)
  if (turned.length > 0) await db.updateTable('course').set({ archived: !enabled, row_version: sql<number>`row_version + 1`, updated_at: now }).where('school_id', '=', school_id).where('id', 'in', turned).execute()
  ctx.note({ target_kind: 'teaching.course', target_name: `${enabled ? '启用' : '停用'} ${turned.length}门` })
  return { changed: turned.length }
}

/** A course that was never taught goes; others are disabled only. @throws Refusal 404, 409 courseInUse */
export async function removeCourse(ctx: TeachingCtx, id: string): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const before = await readCourse(db, school_id, id)
  const used = await db.selectFrom('teaching').select('id').where('school_id', '=', school_id).where('course_id', '=', id).limit(1).executeTakeFirst()
  const placed = await db.selectFrom('lesson').select('id').where('school_id', '=', school_id).where('course_id', '=', id).limit(1).executeTakeFirst()
  if (used || placed) throw fail(teachingErrors.courseInUse)
  await db.deleteFrom('course').where('school_id', '=', school_id).where('id', '=', id).execute()
  ctx.note({ target_kind: 'teaching.course', target_id: id, target_name: before.course_name, before: { ...before } })
  return {}
}

async function readCourse(db: Db, school_id: number, id: string): Promise<CourseRow> {
  const row = await db.selectFrom('course').select(columns).where('school_id', '=', school_id).where('id', '=', id).executeTakeFirst()
  if (!row) throw fail(commonErrors.notFound)
  return CourseRow.parse(row)
}
