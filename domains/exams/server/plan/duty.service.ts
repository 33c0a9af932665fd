import { examErrors } from '@campus/exams/contract'
import type { Duties, planApi } from '@campus/exams/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db, ExamsCtx } from '../db.ts'
import { renewRights } from '../control/rights.ts'
import { lockExam, requireExam, states } from '../exam/exam.queries.ts'
import { schoolMinute } from '../exam/minute.ts'
import { invigilate, loadOf, refusalOf } from '../invigilate/invigilate.ts'
import type { Post, Sitting } from '../invigilate/invigilate.ts'
import { readSittings, readTeachers } from './duty.queries.ts'
import { readRooms } from './plan.queries.ts'

type Stored = Post & { source: string }

/**
 * Draws the invigilators anew; posts that somebody has given by hand stay (chapter 55 rule 29). The seed is kept, so that anybody may replay the draw.
 * @throws Refusal 404, 409 closed, 422 unseated
 */
export async function runDuties(ctx: ExamsCtx, { exam_id, seed, per_room }: Input<typeof planApi.runDuties>): Promise<Reply<typeof planApi.runDuties>> {
  const { db, school_id, me, now } = ctx
  const exam = await lockExam(db, school_id, now, exam_id)
  if (exam.state >= states.sitting) throw fail(examErrors.closed)
  const sittings = await readSittings(db, school_id, exam_id)
  if (sittings.length === 0) throw fail(examErrors.unseated, { params: { n: exam.candidates } })
  const teachers = await readTeachers(db, school_id, exam_id, sittings)
  const fixed = (await readPosts(db, school_id, exam_id)).filter(one => one.source !== 'auto')
  const { posts, unfilled, spread, plan_hash } = invigilate({ sittings, teachers, per_room, seed, fixed })
  await db.deleteFrom('exam_invigilator').where('school_id', '=', school_id).where('exam_id', '=', exam_id).where('source', '=', 'auto').execute()
  await insertMany(db, 'exam_invigilator', posts.slice(fixed.length).map(one => ({ ...one, school_id, exam_id, source: 'auto', ...spanOf(sittings, one.session_id) })))
  await db.updateTable('exam').set({ duty_seed: seed }).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()
  await db.insertInto('exam_plan_run').values({ school_id, exam_id, kind: 'invigilate', seed, plan_hash, violations: unfilled.length, at: now, by_user_id: me.user_id }).execute()
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 监考`, after: { seed, posts: posts.length, unfilled: unfilled.length, plan_hash } })
  return { posts: posts.length, unfilled: unfilled.length, spread: Math.round(spread), plan_hash }
}

function spanOf(sittings: readonly Sitting[], session_id: string): { begin_at: Date; end_at: Date } {
  const { begin = 0, end = 0 } = sittings.find(one => one.session_id === session_id) ?? {}
  return { begin_at: new Date(begin), end_at: new Date(end) }
}

/** The posts of an exam in their order. */
export async function readPosts(db: Db, school_id: number, exam_id: string): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select session_id::text as session_id, room_id::text as room_id, role::int as role, user_id::text as user_id, minutes::int as minutes, source, reason
    from exam_invigilator where school_id = ${school_id} and exam_id = ${exam_id} order by begin_at, room_id, role`.execute(db)
  return rows
}

/** Who invigilates where, and how much everybody has served before and with it. @throws Refusal 404 */
export async function readDuties({ db, school_id, now }: ExamsCtx, exam_id: string): Promise<Duties> {
  await requireExam(db, school_id, now, exam_id)
  const sittings = await readSittings(db, school_id, exam_id)
  const teachers = await readTeachers(db, school_id, exam_id, sittings)
  const posts = await readPosts(db, school_id, exam_id)
  const { rows } = await sql<{ user_id: string; user_name: string }>`
    select user_id::text as user_id, display_name as user_name from person_label where school_id = ${school_id} and user_id = any(${posts.map(one => one.user_id)}::bigint[])`.execute(db)
  const names = new Map(rows.map(row => [row.user_id, row.user_name]))
  const { duty_seed: seed } = await db.selectFrom('exam').select('duty_seed').where('school_id', '=', school_id).where('exam_id', '=', exam_id).executeTakeFirstOrThrow()
  const loads = teachers.map(one => {
    const own = posts.filter(post => post.user_id === one.user_id)
    return { user_id: one.user_id, user_name: one.user_name, teacher_no: one.teacher_no, minutes: own.reduce((sum, post) => sum + post.minutes, 0), before: one.ledger, share: one.share, times: own.length, blocked: one.busy.length }
  })
  const open = teachers.filter(one => one.busy.length === 0).map(one => loadOf(one, posts))
  const used = sittings.flatMap(({ session_id, rooms }) => rooms.map(({ room_id }) => ({ session_id, room_id })))
  return {
    rooms: await readRooms(db, school_id, exam_id), used, posts: posts.map(one => ({ ...one, user_name: names.get(one.user_id) ?? '' })), loads, seed,
    unfilled: used.filter(one => !posts.some(post => post.session_id === one.session_id && post.room_id === one.room_id && post.role === 1)).length,
    spread: open.length === 0 ? 0 : Math.round(Math.max(...open) - Math.min(...open)),
  }
}

/** Gives a post to a teacher, or takes it from everybody (null). @throws Refusal 404 teacherUnknown, 409 closed, clashTeacher */
export async function assignDuty(ctx: ExamsCtx, { exam_id, session_id, room_id, role, user_id }: Input<typeof planApi.assign>): Promise<Record<string, never>> {
  const { db, school_id, now } = ctx
  const exam = await lockExam(db, school_id, now, exam_id)
  if (exam.state >= states.entering) throw fail(examErrors.closed)
  const sittings = await readSittings(db, school_id, exam_id)
  const sitting = sittings.find(one => one.session_id === session_id)
  const room = sitting?.rooms.find(one => one.room_id === room_id)
  if (!sitting || !room) throw fail(commonErrors.notFound)
  const teacher = user_id === null ? undefined : (await readTeachers(db, school_id, exam_id, sittings)).find(one => one.user_id === user_id)
  if (user_id !== null && !teacher) throw fail(examErrors.teacherUnknown)
  const others = (await readPosts(db, school_id, exam_id)).filter(one => !(one.session_id === session_id && one.room_id === room_id && one.role === role))
  if (teacher && refusalOf(teacher, { sitting, room }, others, sittings) !== null) throw fail(examErrors.clashTeacher, { params: { name: teacher.user_name, time: schoolMinute(new Date(sitting.begin)) } })
  await db.deleteFrom('exam_invigilator').where('school_id', '=', school_id).where('session_id', '=', session_id).where('room_id', '=', room_id).where('role', '=', role).execute()
  if (teacher) await insertMany(db, 'exam_invigilator', [{ school_id, exam_id, session_id, room_id, role, user_id: teacher.user_id, minutes: sitting.minutes, source: 'manual', reason: '手工指定', ...spanOf(sittings, session_id) }])
  if (exam.state >= states.published) await renewRights(ctx, exam_id, true)
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 监考`, after: { session_id, room_id, role, teacher: teacher?.user_name ?? null } })
  return {}
}
