import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { readSessions } from '../exam/exam.queries.ts'
import { adjust } from '../seat/adjust.ts'
import type { Move } from '../seat/adjust.ts'
import { readRooms, readSeated, readSitting } from './plan.queries.ts'

/** After candidates or rooms have changed: only those whom it concerns change their seats, in every session that has seats (chapter 55 rule 26). */
export async function resettle(db: Db, school_id: number, exam_id: string): Promise<{ seated: number; unseated: number }> {
  const rooms = await readRooms(db, school_id, exam_id)
  const all = Map.groupBy(await readSeated(db, school_id, exam_id), one => one.session_id)
  let [seated, unseated] = [0, 0]
  for (const session of await readSessions(db, school_id, exam_id)) {
    const seats = all.get(session.session_id)
    if (!seats) continue
    const wanted = await readSitting(db, school_id, exam_id, session.session_id)
    const ids = new Set(wanted.map(one => one.user_id))
    const sitting = new Set(seats.map(one => one.user_id))
    const next = adjust({
      seats, rooms, depts: new Map(wanted.map(one => [one.user_id, one.dept_id])), added: wanted.filter(one => !sitting.has(one.user_id)), removed: seats.filter(one => !ids.has(one.user_id)).map(one => one.user_id),
    })
    await writeMoves(db, { school_id, exam_id, session }, next.moves, next.unseated)
    seated += next.moves.filter(one => one.to !== null).length
    unseated += next.unseated.length
  }
  return { seated, unseated }
}

type Of = { school_id: number; exam_id: string; session: { session_id: string; begin_at: string; end_at: string } }

async function writeMoves(db: Db, { school_id, exam_id, session: { session_id, begin_at, end_at } }: Of, moves: readonly Move[], unseated: readonly string[]): Promise<void> {
  const gone = [...moves.map(one => one.user_id), ...unseated]
  if (gone.length > 0) await db.deleteFrom('exam_seat').where('school_id', '=', school_id).where('session_id', '=', session_id).where('user_id', 'in', gone).execute()
  await insertMany(db, 'exam_seat', moves.flatMap(({ to }) => (to ? [{ school_id, exam_id, session_id, begin_at, end_at, ...to }] : [])))
  await sql`
    insert into exam_room_session (school_id, session_id, room_id, exam_id, place_id, begin_at, end_at)
    select r.school_id, ${session_id}::bigint, r.room_id, r.exam_id, r.place_id, ${begin_at}::timestamptz, ${end_at}::timestamptz from exam_room r
    where r.school_id = ${school_id} and r.exam_id = ${exam_id} and r.room_id in (select t.room_id from exam_seat t where t.school_id = ${school_id} and t.session_id = ${session_id})
    on conflict (school_id, session_id, room_id) do nothing`.execute(db)
}
