import type { ControlRow, controlApi } from '@campus/exams/contract'
import type { Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { ExamsCtx } from '../db.ts'
import { requireExam, states } from '../exam/exam.queries.ts'
import { sign_before_ms } from './rights.ts'

/** Device types that show something, and those that open a door. */
const [board_types, door_types] = [['03', '21'], ['01', '02', '04', '12', '19']] as const

type Row = Omit<ControlRow, 'from' | 'until' | 'phase' | 'boards' | 'doors'> & { place_id: string; begin_at: Date; end_at: Date }

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
  const of = (place_id: string, types: readonly string[]) => devices.filter(one => one.place_id === place_id &&
    types.includes(one.device_type)).map(({ device_name, online }) => ({ device_name, online }))
  return {
    list: rows.map(({ place_id, begin_at, end_at, ...row }) => {
      const from = new Date(begin_at.getTime() - sign_before_ms)
      const phase = now >= end_at ? 'ended' : now >= from ? 'active' : 'planned'
      return {
        ...row, from: from.toISOString(), until: end_at.toISOString(), phase: is_open ? phase : 'draft', boards: of(place_id,
          board_types), doors: of(place_id, door_types),
      }
    }),
  }
}
