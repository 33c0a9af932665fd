import { examErrors, examTemplates } from '@campus/exams/contract'
import type { MyDuty, SwapRow, swapApi } from '@campus/exams/contract'
import { send } from '@campus/messages/server'
import { selfScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { renewRights } from '../control/rights.ts'
import type { ExamsCtx } from '../db.ts'
import { lockExam, requireExam, states } from '../exam/exam.queries.ts'
import { schoolMinute } from '../exam/minute.ts'
import { refusalOf } from '../invigilate/invigilate.ts'
import { readSittings, readTeachers } from './duty.queries.ts'
import type { StaffFact } from './duty.queries.ts'
import { readPosts } from './duty.service.ts'

const [asked_state, agreed_state, done_state, refused_state, withdrawn_state] = [0, 1, 2, 3, 4] as const

type Stored = SwapRow & { exam_id: string; from_user: string; to_user: string }

/** Swaps with their names; `which` is a condition on `w`. */
async function readSwaps({ db, school_id }: ExamsCtx, which: RawBuilder<unknown>): Promise<Stored[]> {
  const { rows } = await sql<Omit<Stored, 'begin_at' | 'asked_at'> & { begin_at: Date; asked_at: Date }>`
    select w.swap_id::text as swap_id, w.exam_id::text as exam_id, w.session_id::text as session_id, e.exam_name, s.session_name,
      s.begin_at, w.from_user::text as from_user, w.to_user::text as to_user,
      coalesce((select r.number || '考场' from exam_invigilator i join exam_room r on r.school_id = ${school_id} and r.room_id = i.room_id
        where i.school_id = ${school_id} and i.session_id = w.session_id
          and i.user_id = case when w.state = ${done_state} then w.to_user else w.from_user end), '') as room,
      coalesce(p.display_name, '') as from_name, coalesce(q.display_name, '') as to_name, w.reason, w.state::int as state, w.asked_at
    from exam_swap w
    join exam e on e.school_id = ${school_id} and e.exam_id = w.exam_id
    join exam_session s on s.school_id = ${school_id} and s.session_id = w.session_id
    left join person_label p on p.school_id = ${school_id} and p.user_id = w.from_user
    left join person_label q on q.school_id = ${school_id} and q.user_id = w.to_user
    where w.school_id = ${school_id} and ${which} order by w.state, s.begin_at, w.swap_id`.execute(db)
  return rows.map(row => ({ ...row, begin_at: row.begin_at.toISOString(), asked_at: row.asked_at.toISOString() }))
}

const shown = ({ exam_id: _exam, from_user: _from, to_user: _to, ...row }: Stored): SwapRow => row

/** The posts that I hold from today on, and the swaps that others ask me for. */
export async function readMyDuties(ctx: ExamsCtx): Promise<Reply<typeof swapApi.mine>> {
  const { db, school_id, me, now } = ctx
  await selfScope(ctx)
  const { rows } = await sql<Omit<MyDuty, 'begin_at' | 'end_at' | 'may_swap' | 'swap'> & { begin_at: Date; end_at: Date }>`
    select i.exam_id::text as exam_id, e.exam_name, i.session_id::text as session_id, s.session_name, i.begin_at, i.end_at,
      r.number::int as room_number, coalesce(p.place_name, '') as place_name, i.role::int as role
    from exam_invigilator i
    join exam e on e.school_id = ${school_id} and e.exam_id = i.exam_id and e.state in (2, 5)
    join exam_session s on s.school_id = ${school_id} and s.session_id = i.session_id
    join exam_room r on r.school_id = ${school_id} and r.room_id = i.room_id
    left join place_live_v p on p.school_id = ${school_id} and p.place_id = r.place_id
    where i.school_id = ${school_id} and i.user_id = ${me.user_id}
      and i.end_at > ${now}::timestamptz - interval '1 day' order by i.begin_at`.execute(db)
  const swaps = await readSwaps(ctx, sql`(w.from_user = ${me.user_id} or w.to_user = ${me.user_id}) and w.state in (0, 1)`)
  return {
    duties: rows.map(row => {
      const swap = swaps.find(one => one.session_id === row.session_id && one.from_user === me.user_id)
      return { ...row, begin_at: row.begin_at.toISOString(), end_at: row.end_at.toISOString(), may_swap: now < row.begin_at,
        swap: swap ? shown(swap) : null }
    }),
    asked: swaps.filter(one => one.to_user === me.user_id && one.state === asked_state).map(shown),
  }
}

/** My post in a session that has not begun, with who else could take it under the hard rules. @throws Refusal 404, 409 swapBegun */
async function requirePost(ctx: ExamsCtx, session_id: string, user_id: string, read: typeof requireExam = lockExam) {
  const { db, school_id, now } = ctx
  const post = await db.selectFrom('exam_invigilator').select(['exam_id', 'room_id', 'begin_at']).where('school_id', '=', school_id)
    .where('session_id', '=', session_id).where('user_id', '=', user_id).executeTakeFirst()
  if (!post) throw fail(commonErrors.notFound)
  const exam = await read(db, school_id, now, post.exam_id)
  if (exam.state !== states.published && exam.state !== states.sitting) throw fail(commonErrors.notFound)
  if (now >= post.begin_at) throw fail(examErrors.swapBegun)
  const sittings = await readSittings(db, school_id, post.exam_id)
  const sitting = sittings.find(one => one.session_id === session_id)
  const room = sitting?.rooms.find(one => one.room_id === post.room_id)
  if (!sitting || !room) throw fail(commonErrors.notFound)
  const teachers = await readTeachers(db, school_id, post.exam_id, sittings, true)
  const posts = await readPosts(db, school_id, post.exam_id)
  const fits = (one: StaffFact) => one.user_id !== user_id && refusalOf(one, { sitting, room }, posts, sittings) === null
  return { post, exam, teachers, fits }
}

/** Teachers who could take a post of mine. @throws Refusal 404, 409 swapBegun */
export async function listFit(ctx: ExamsCtx, session_id: string): Promise<Reply<typeof swapApi.fit>> {
  await selfScope(ctx)
  const { teachers, fits } = await requirePost(ctx, session_id, ctx.me.user_id, requireExam)
  return { list: teachers.filter(fits).map(({ user_id, user_name }) => ({ user_id, user_name })) }
}

/** Asks another teacher to take a post of mine. @throws Refusal 404, 409 swapBegun, swapOpen, clashTeacher, 422 swapSelf */
export async function askSwap(ctx: ExamsCtx, { session_id, to_user_id,
  reason }: Input<typeof swapApi.ask>): Promise<Reply<typeof swapApi.ask>> {
  const { db, school_id, me, now } = ctx
  await selfScope(ctx)
  const { post, exam, teachers, fits } = await requirePost(ctx, session_id, me.user_id)
  if (to_user_id === me.user_id) throw fail(examErrors.swapSelf)
  const other = teachers.find(one => one.user_id === to_user_id)
  if (!other) throw fail(commonErrors.notFound)
  if (!fits(other)) throw fail(examErrors.clashTeacher, { params: { name: other.user_name, time: schoolMinute(post.begin_at) } })
  const row = { school_id, exam_id: post.exam_id, session_id, from_user: me.user_id, to_user: to_user_id, reason, asked_at: now }
  const { swap_id } = await db.insertInto('exam_swap').values(row).returning('swap_id').executeTakeFirstOrThrow()
  const values = { name: me.user_name, exam: exam.exam_name, time: schoolMinute(post.begin_at) }
  await send(ctx, { template: examTemplates.swapAsked, source_ref: `swap:${swap_id}`, to: [{ user_id: to_user_id }], values, level: 2 })
  ctx.note({ target_kind: 'exams.exam', target_id: post.exam_id, target_name: `${exam.exam_name} 换班申请 ${other.user_name}`, reason })
  return { swap_id }
}

/** An open swap, locked; one of other invigilators is not found. @throws Refusal 404, 409 swapOver */
async function requireSwap({ db, school_id }: ExamsCtx, swap_id: string, side: 'from_user' | 'to_user' | null, me: string) {
  const found = await db.selectFrom('exam_swap').selectAll().where('school_id', '=', school_id).where('swap_id', '=', swap_id).forUpdate()
    .executeTakeFirst()
  if (!found || (side !== null && found[side] !== me)) throw fail(commonErrors.notFound)
  return found
}

async function settle(ctx: ExamsCtx, swap_id: string, state: number): Promise<void> {
  await ctx.db.updateTable('exam_swap').set({ state, decided_by: ctx.me.user_id, decided_at: ctx.now }).where('school_id', '=',
    ctx.school_id).where('swap_id', '=', swap_id).execute()
}

/** The teacher who was asked agrees or refuses. @throws Refusal 404, 409 swapOver */
export async function acceptSwap(ctx: ExamsCtx, { swap_id, agreed }: Input<typeof swapApi.accept>): Promise<Record<string, never>> {
  await selfScope(ctx)
  const swap = await requireSwap(ctx, swap_id, 'to_user', ctx.me.user_id)
  if (swap.state !== asked_state) throw fail(examErrors.swapOver)
  await settle(ctx, swap_id, agreed ? agreed_state : refused_state)
  if (!agreed) await announce(ctx, swap_id, '未被接受')
  ctx.note({ target_kind: 'exams.exam', target_id: swap.exam_id, target_name: agreed ? '同意换班' : '拒绝换班' })
  return {}
}

/** Who asked takes it back. @throws Refusal 404, 409 swapOver */
export async function withdrawSwap(ctx: ExamsCtx, { swap_id }: Input<typeof swapApi.withdraw>): Promise<Record<string, never>> {
  await selfScope(ctx)
  const swap = await requireSwap(ctx, swap_id, 'from_user', ctx.me.user_id)
  if (swap.state > agreed_state) throw fail(examErrors.swapOver)
  await settle(ctx, swap_id, withdrawn_state)
  ctx.note({ target_kind: 'exams.exam', target_id: swap.exam_id, target_name: '撤销换班' })
  return {}
}

/** Swaps of an exam, those that wait first. @throws Refusal 404 */
export async function listSwaps(ctx: ExamsCtx, exam_id: string): Promise<Reply<typeof swapApi.page>> {
  const found = await ctx.db.selectFrom('exam').select('exam_id').where('school_id', '=', ctx.school_id).where('exam_id', '=', exam_id)
    .executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  return { list: (await readSwaps(ctx, sql`w.exam_id = ${exam_id}`)).map(shown) }
}

/**
 * The office approves what both have agreed to: the post and its minutes go to the other, once the hard rules still allow it (chapter 55 rule 30).
 * @throws Refusal 404, 409 swapOver, swapBegun, clashTeacher
 */
export async function decideSwap(ctx: ExamsCtx, { swap_id, agreed }: Input<typeof swapApi.decide>): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const swap = await requireSwap(ctx, swap_id, null, '')
  if (swap.state !== agreed_state) throw fail(examErrors.swapOver)
  if (agreed) {
    const { post, teachers, fits } = await requirePost(ctx, swap.session_id, swap.from_user)
    const other = teachers.find(one => one.user_id === swap.to_user)
    if (!other) throw fail(examErrors.teacherUnknown)
    if (!fits(other)) throw fail(examErrors.clashTeacher, { params: { name: other.user_name, time: schoolMinute(post.begin_at) } })
    const from = teachers.find(one => one.user_id === swap.from_user)
    await db.updateTable('exam_invigilator').set({ user_id: swap.to_user, source: 'swap', reason: `与${from?.user_name ?? '原监考'}换班` })
      .where('school_id', '=', school_id).where('session_id', '=', swap.session_id).where('user_id', '=', swap.from_user).execute()
    await renewRights(ctx, swap.exam_id, true)
  }
  await settle(ctx, swap_id, agreed ? done_state : refused_state)
  await announce(ctx, swap_id, agreed ? '已批准' : '未获批准')
  ctx.note({ target_kind: 'exams.exam', target_id: swap.exam_id, target_name: agreed ? '批准换班' : '不批准换班' })
  return {}
}

async function announce(ctx: ExamsCtx, swap_id: string, result: string): Promise<void> {
  const [row] = await readSwaps(ctx, sql`w.swap_id = ${swap_id}`)
  if (!row) return
  const to = [row.from_user, row.to_user].filter(user_id => user_id !== ctx.me.user_id).map(user_id => ({ user_id }))
  const values = { exam: row.exam_name, time: schoolMinute(row.begin_at), result }
  await send(ctx, { template: examTemplates.swapDecided, source_ref: `swap:${swap_id}:${row.state}`, to, values, level: 1 })
}
