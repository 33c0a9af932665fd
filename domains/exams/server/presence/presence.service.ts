import { examErrors, examEvents, scoreText } from '@campus/exams/contract'
import type { Presence, presenceApi, PresenceRow } from '@campus/exams/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import { sign_before_ms } from '../control/rights.ts'
import type { ExamsCtx } from '../db.ts'
import { lockExam, readPapers, states } from '../exam/exam.queries.ts'
import { writeScores } from '../score/entry.service.ts'
import { logChanges } from '../score/log.ts'
import { readSitters } from '../score/score.queries.ts'

const [absent, score_absent, cleared] = [3, 1, 9] as const
/** Who comes later than this needs an invigilator, and who is missing then may be called absent (chapter 55 §1.2 late_until_min). */
export const late_until_ms = 15 * 60_000

type Session = { exam_id: string; session_name: string; begin_at: Date; end_at: Date; paper_ids: string[] }
type Room = Presence['rooms'][number] & { main_id: string | null; watcher_ids: string[] }

/** The session with the rooms the caller may sign in: of the office all, of an invigilator his own. @throws Refusal 404, the same as for a session that does not exist */
export async function requireOwn({ db, school_id, me }: ExamsCtx, session_id: string): Promise<{ session: Session; rooms: Room[] }> {
  const found = await sql<Session>`
    select s.exam_id::text as exam_id, s.session_name, s.begin_at, s.end_at, s.paper_ids::text[] as paper_ids from exam_session s
    where s.school_id = ${school_id} and s.session_id = ${session_id}`.execute(db)
  const [session] = found.rows
  if (!session) throw fail(commonErrors.notFound)
  const { rows } = await sql<Omit<Room, 'confirmed_at'> & { confirmed_at: Date | null }>`
    select b.room_id::text as room_id, r.number::int as number, coalesce(p.place_name, '') as place_name, c.confirmed_at,
      q.display_name as confirmed_by,
      (select count(*)::int from exam_seat t where t.school_id = ${school_id} and t.session_id = ${session_id}
        and t.room_id = b.room_id) as seated,
      (select i.user_id::text from exam_invigilator i where i.school_id = ${school_id} and i.session_id = ${session_id}
        and i.room_id = b.room_id and i.role = 1) as main_id,
      array(select i.user_id::text from exam_invigilator i where i.school_id = ${school_id} and i.session_id = ${session_id}
        and i.room_id = b.room_id) as watcher_ids
    from exam_room_session b
    join exam_room r on r.school_id = ${school_id} and r.room_id = b.room_id
    left join place_live_v p on p.school_id = ${school_id} and p.place_id = b.place_id
    left join exam_presence_room c on c.school_id = ${school_id} and c.session_id = b.session_id and c.room_id = b.room_id
    left join person_label q on q.school_id = ${school_id} and q.user_id = c.confirmed_by
    where b.school_id = ${school_id} and b.session_id = ${session_id} order by r.number`.execute(db)
  const seen = me.codes.has('exams.plan.edit') ? rows : rows.filter(room => room.watcher_ids.includes(me.user_id))
  if (seen.length === 0 && !me.codes.has('exams.plan.edit')) throw fail(commonErrors.notFound)
  return { session, rooms: seen.map(room => ({ ...room, confirmed_at: room.confirmed_at?.toISOString() ?? null })) }
}

async function readRows({ db, school_id }: ExamsCtx, session_id: string, room_ids: readonly string[]): Promise<PresenceRow[]> {
  const { rows } = await sql<Omit<PresenceRow, 'sign_at'> & { sign_at: Date | null }>`
    select t.user_id::text as user_id, p.display_name as user_name, c.exam_no, coalesce(d.dept_name, '') as dept_name,
      t.room_id::text as room_id, t.seat::int as seat,
      a.state::int as state, a.sign_at, q.display_name as by_name, coalesce(a.note, '') as note
    from exam_seat t
    join exam_candidate c on c.school_id = ${school_id} and c.exam_id = t.exam_id and c.user_id = t.user_id
    join person_label p on p.school_id = ${school_id} and p.user_id = t.user_id
    left join dept_now d on d.school_id = ${school_id} and d.id = c.dept_id
    left join exam_presence a on a.school_id = ${school_id} and a.session_id = t.session_id and a.user_id = t.user_id
    left join person_label q on q.school_id = ${school_id} and q.user_id = a.by_user_id
    where t.school_id = ${school_id} and t.session_id = ${session_id} and t.room_id = any(${[...room_ids]}::bigint[]) order by t.room_id,
      t.seat`.execute(db)
  return rows.map(row => ({ ...row, sign_at: row.sign_at?.toISOString() ?? null }))
}

/** Who sits where in a session and who is there. @throws Refusal 404 */
export async function readPresence(ctx: ExamsCtx, session_id: string): Promise<Presence> {
  const { session, rooms } = await requireOwn(ctx, session_id)
  const { exam_name } = await ctx.db.selectFrom('exam').select('exam_name').where('school_id', '=', ctx.school_id).where('exam_id', '=',
    session.exam_id).executeTakeFirstOrThrow()
  const { exam_id, session_name, begin_at, end_at } = session
  return {
    exam_id, exam_name, session_id, session_name, begin_at: begin_at.toISOString(), end_at: end_at.toISOString(),
      may_confirm: ctx.now.getTime() >= begin_at.getTime() + late_until_ms,
    rooms: rooms.map(({ main_id: _main, watcher_ids: _watchers, ...room }) => room), rows: await readRows(ctx, session_id,
      rooms.map(room => room.room_id)),
  }
}

/** The session, whose exam is locked and on: signing begins half an hour before it. @throws Refusal 404, 409 notPublished, released, 422 signEarly */
async function requireOpen(ctx: ExamsCtx, session_id: string) {
  const own = await requireOwn(ctx, session_id)
  const exam = await lockExam(ctx.db, ctx.school_id, ctx.now, own.session.exam_id)
  if (exam.state < states.published || exam.state === states.cancelled) throw fail(examErrors.notPublished)
  if (exam.state >= states.released) throw fail(examErrors.released)
  if (ctx.now.getTime() < own.session.begin_at.getTime() - sign_before_ms) throw fail(examErrors.signEarly)
  return { ...own, exam }
}

/** Signs candidates in, or says what was with them, by an invigilator of their room. @throws Refusal 404, 409 notPublished, released, presenceConfirmed, 422 signEarly */
export async function signPresence(ctx: ExamsCtx, { session_id,
  rows: asked }: Input<typeof presenceApi.sign>): Promise<Reply<typeof presenceApi.sign>> {
  const { db, school_id, me, now } = ctx
  const { rooms, session, exam } = await requireOpen(ctx, session_id)
  const seats = new Map((await readRows(ctx, session_id, rooms.map(room => room.room_id))).map(row => [row.user_id, row]))
  const wanted = [...new Map(asked.map(one => [one.user_id, one])).values()]
  for (const { user_id } of wanted) {
    const seat = seats.get(user_id)
    if (!seat) throw fail(commonErrors.notFound)
    if (rooms.find(room => room.room_id === seat.room_id)?.confirmed_at !== null) throw fail(examErrors.presenceConfirmed)
  }
  await sql`
    insert into exam_presence (school_id, session_id, user_id, exam_id, state, sign_at, by_user_id, note)
    select ${school_id}::int, ${session_id}::bigint, n.user_id, ${session.exam_id}::bigint, n.state,
      case when n.state = ${absent} then null else ${now}::timestamptz end, ${me.user_id}::bigint, n.note
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) n(user_id bigint, state smallint, note varchar)
    on conflict (school_id, session_id, user_id) do update set
      state = excluded.state, note = excluded.note, by_user_id = excluded.by_user_id, version = exam_presence.version + 1,
        sign_at = coalesce(exam_presence.sign_at, excluded.sign_at)`.execute(db)
  await publish(ctx, examEvents.presenceSigned, { exam_id: session.exam_id, session_id })
  ctx.note({ target_kind: 'exams.exam', target_id: exam.exam_id,
    target_name: `${exam.exam_name} ${session.session_name} 签到 ${wanted.length}人`, after: { rows: wanted } })
  return { signed: wanted.length }
}

/**
 * 确认缺考: who has not signed in is absent; his papers of the session get 缺考 where nothing is entered yet (chapter 55 rule 32). Once for each room.
 * @throws Refusal 404, 409 notPublished, released, presenceConfirmed, 403 confirmMain, 422 signEarly, confirmEarly
 */
export async function confirmPresence(ctx: ExamsCtx, { session_id,
  room_id }: Input<typeof presenceApi.confirm>): Promise<Reply<typeof presenceApi.confirm>> {
  const { db, school_id, me, now } = ctx
  const { rooms, session, exam } = await requireOpen(ctx, session_id)
  const room = rooms.find(one => one.room_id === room_id)
  if (!room) throw fail(commonErrors.notFound)
  if (room.confirmed_at !== null) throw fail(examErrors.presenceConfirmed)
  if (!me.codes.has('exams.plan.edit') && room.main_id !== me.user_id) throw fail(examErrors.confirmMain)
  if (now.getTime() < session.begin_at.getTime() + late_until_ms) throw fail(examErrors.confirmEarly)
  const { exam_id } = session
  const own = await readRows(ctx, session_id, [room_id])
  const missing = own.filter(row => row.state === null)
  await sql`
    insert into exam_presence (school_id, session_id, user_id, exam_id, state, by_user_id)
    select ${school_id}::int, ${session_id}::bigint, n.user_id, ${exam_id}::bigint, ${absent}::int, ${me.user_id}::bigint
      from unnest(${missing.map(row => row.user_id)}::bigint[]) n(user_id)
    on conflict (school_id, session_id, user_id) do nothing`.execute(db)
  await db.insertInto('exam_presence_room').values({ school_id, session_id, room_id, exam_id, confirmed_by: me.user_id,
    confirmed_at: now }).execute()
  const absent_ids = new Set(own.filter(row => row.state === null || row.state === absent).map(row => row.user_id))
  await fillAbsent(ctx, session, absent_ids)
  await publish(ctx, examEvents.presenceSigned, { exam_id, session_id })
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id,
    target_name: `${exam.exam_name} ${session.session_name} ${room.number}考场 缺考${absent_ids.size}人` })
  return { absent: absent_ids.size }
}

/** 缺考 in every paper of the session that has no score yet. */
async function fillAbsent({ db, school_id, me, now }: ExamsCtx, { exam_id, paper_ids }: Session,
  absent_ids: ReadonlySet<string>): Promise<void> {
  if (absent_ids.size === 0) return
  const papers = (await readPapers(db, school_id, exam_id)).filter(paper => paper_ids.includes(paper.paper_id))
  const score = { score: null, score_state: score_absent }
  const rows = (await readSitters(db, school_id, exam_id)).filter(one => absent_ids.has(one.user_id)).flatMap(sitter =>
    papers.filter(paper => sitter.papers.includes(paper.paper_id)).flatMap(paper => {
    const stored = sitter.scores.get(paper.paper_id)
    return stored && stored.score_state !== cleared ? [] : [{ paper, sitter, version: stored?.version ?? 0, score }]
  }))
  if (rows.length === 0) return
  await writeScores(db, { school_id, exam_id, by: me.user_id, at: now }, rows)
  await logChanges(db, { school_id, exam_id, at: now }, rows.map(({ paper, sitter, version }) => ({
    paper_id: paper.paper_id, user_id: sitter.user_id, version: version + 1, from_text: '', to_text: scoreText(score), cause: 'absent',
      reason: '考场确认缺考', by_user_id: me.user_id, approver_id: null,
  })))
}
