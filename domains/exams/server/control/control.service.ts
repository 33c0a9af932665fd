import { control_kinds, examErrors, examEvents } from '@campus/exams/contract'
import type { ControlRow, controlApi } from '@campus/exams/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import type { Db, ExamsCtx } from '../db.ts'
import { lockExam, requireExam, states } from '../exam/exam.queries.ts'
import { requireOwn } from '../presence/presence.service.ts'
import { renewRights, sign_before_ms } from './rights.ts'

/** Device types that show something, and those that open a door. */
const [board_types, door_types] = [['03', '21'], ['01', '02', '04', '12', '19']] as const

type Row = Omit<ControlRow, 'from' | 'until' | 'phase' | 'boards' | 'doors' | 'lifted'> & { place_id: string; begin_at: Date; end_at: Date }

/** Every room of every session with its boards and doors, and whether the exam is on there now. @throws Refusal 404 */
export async function readControl({ db, school_id, now }: ExamsCtx, exam_id: string): Promise<Reply<typeof controlApi.read>> {
  const exam = await requireExam(db, school_id, now, exam_id)
  const is_open = exam.state >= states.published && exam.state < states.cancelled
  const { rows } = await sql<Row>`
    select b.session_id::text as session_id, s.session_name, b.room_id::text as room_id, r.number::int as room_number,
      b.place_id::text as place_id, coalesce(p.place_name, '已停用的场所') as place_name,
      b.begin_at, b.end_at,
      (select count(*)::int from exam_seat t where t.school_id = ${school_id} and t.session_id = b.session_id and t.room_id = b.room_id)
        + (select count(*)::int from exam_invigilator i where i.school_id = ${school_id} and i.session_id = b.session_id
          and i.room_id = b.room_id) as people
    from exam_room_session b
    join exam_session s on s.school_id = ${school_id} and s.session_id = b.session_id
    join exam_room r on r.school_id = ${school_id} and r.room_id = b.room_id
    left join place_live_v p on p.school_id = ${school_id} and p.place_id = b.place_id
    where b.school_id = ${school_id} and b.exam_id = ${exam_id} order by b.begin_at, r.number`.execute(db)
  const devices = await db.selectFrom('device_live_v').select(['device_name', 'device_type', 'place_id', 'online']).where('school_id',
    '=', school_id)
    .where('place_id', 'in', ['0', ...new Set(rows.map(row => row.place_id))]).where('device_type', 'in', [...board_types, ...door_types])
      .orderBy('device_id').execute()
  const lifted = await readLifted(db, school_id, exam_id)
  const of = (place_id: string, types: readonly string[]) => devices.filter(one => one.place_id === place_id &&
    types.includes(one.device_type)).map(({ device_name, online }) => ({ device_name, online }))
  return {
    list: rows.map(({ place_id, begin_at, end_at, ...row }) => {
      const from = new Date(begin_at.getTime() - sign_before_ms)
      const phase = now >= end_at ? 'ended' : now >= from ? 'active' : 'planned'
      return {
        ...row, from: from.toISOString(), until: end_at.toISOString(), phase: is_open ? phase : 'draft', boards: of(place_id,
          board_types), doors: of(place_id, door_types),
        lifted: lifted.filter(one => one.session_id === row.session_id && one.room_id === row.room_id)
          .map(({ kind, reason, by_name, at }) => ({ kind, reason, by_name, at: at.toISOString() })),
      }
    }),
  }
}

type Lifted = { session_id: string; room_id: string; kind: 'board' | 'door'; reason: string; by_name: string; at: Date }

async function readLifted(db: Db, school_id: number, exam_id: string): Promise<Lifted[]> {
  const { rows } = await sql<Lifted>`
    select o.session_id::text as session_id, o.room_id::text as room_id, o.kind, o.reason, coalesce(p.display_name, '') as by_name, o.at
    from exam_control_override o left join person_label p on p.school_id = ${school_id} and p.user_id = o.by_user_id
    where o.school_id = ${school_id} and o.exam_id = ${exam_id} order by o.at, o.kind`.execute(db)
  return rows
}

/**
 * Lifts the control of one room for the rest of a session, by its invigilator or the office: others may use the door again, the board
 * shows its usual pages
 * (chapter 55 §2.6). Candidates and invigilators keep their rights.
 * @throws Refusal 404, 409 notPublished, controlOver, controlLifted
 */
export async function overrideControl(ctx: ExamsCtx, { session_id, room_id, kind,
  reason }: Input<typeof controlApi.override>): Promise<Record<string, never>> {
  const { db, school_id, me, now } = ctx
  const { session: { exam_id, session_name, end_at }, rooms } = await requireOwn(ctx, session_id)
  const room = rooms.find(one => one.room_id === room_id)
  if (!room) throw fail(commonErrors.notFound)
  const exam = await lockExam(db, school_id, now, exam_id)
  if (exam.state < states.published || exam.state === states.cancelled) throw fail(examErrors.notPublished)
  if (now >= end_at) throw fail(examErrors.controlOver)
  const added = await db.insertInto('exam_control_override').values({ school_id, session_id, room_id, kind, exam_id, reason,
    by_user_id: me.user_id, at: now })
    .onConflict(clash => clash.columns(['school_id', 'session_id', 'room_id', 'kind']).doNothing()).returning('room_id').executeTakeFirst()
  if (!added) throw fail(examErrors.controlLifted)
  if (kind === 'door') await renewRights(ctx, exam_id, true)
  const { place_id } = await db.selectFrom('exam_room').select('place_id').where('school_id', '=', school_id).where('room_id', '=', room_id)
    .executeTakeFirstOrThrow()
  await publish(ctx, examEvents.controlEnded, { exam_id, session_id, place_ids: [place_id], kind })
  const what = `${exam.exam_name} ${session_name} ${room.number}考场 解除${control_kinds[kind]}`
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: what, reason })
  return {}
}
