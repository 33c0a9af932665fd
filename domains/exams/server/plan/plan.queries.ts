import { RoomRow } from '@campus/exams/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { cellsOf } from '../seat/room.ts'
import type { Candidate, Seated } from '../seat/seat.ts'

/** Rooms of an exam by their numbers. */
export async function readRooms(db: Db, school_id: number, exam_id: string): Promise<RoomRow[]> {
  const { rows } = await sql<Omit<RoomRow, 'seats'>>`
    select r.room_id::text as room_id, r.number::int as number, r.place_id::text as place_id, coalesce(p.place_name, '已停用的场所') as place_name, p.capacity, r.col_count::int as col_count,
      r.row_count::int as row_count, r.path, r.blocked::int[] as blocked, r.is_spare
    from exam_room r left join place_live_v p on p.school_id = ${school_id} and p.place_id = r.place_id
    where r.school_id = ${school_id} and r.exam_id = ${exam_id} order by r.number`.execute(db)
  return z.array(RoomRow).parse(rows.map(row => ({ ...row, seats: cellsOf(row).length })))
}

/** Who sits in a session, with what seating needs of them. */
export async function readSitting(db: Db, school_id: number, exam_id: string, session_id: string): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select c.user_id::text as user_id, c.dept_id::text as dept_id, c.exam_no, c.front_row as front
    from exam_candidate c join exam_session s on s.school_id = ${school_id} and s.session_id = ${session_id}
    where c.school_id = ${school_id} and c.exam_id = ${exam_id} and c.state = 0 and c.papers && s.paper_ids order by c.user_id`.execute(db)
  return rows
}

export type StoredSeat = Seated & { session_id: string; pinned: boolean }

/** The seats of an exam, of one session or of all. */
export async function readSeated(db: Db, school_id: number, exam_id: string, session_id?: string): Promise<StoredSeat[]> {
  const { rows } = await sql<StoredSeat>`
    select session_id::text as session_id, user_id::text as user_id, room_id::text as room_id, seat::int as seat, cell::int as cell, pinned
    from exam_seat where school_id = ${school_id} and exam_id = ${exam_id} and ${session_id === undefined ? sql`true` : sql`session_id = ${session_id}`}`.execute(db)
  return rows
}

/** Names of people, of those who have left too. */
export async function namesOf(db: Db, school_id: number, ids: Iterable<string>): Promise<Map<string, string>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = await db.selectFrom('person_label').select(['user_id', 'display_name']).where('school_id', '=', school_id).where('user_id', 'in', wanted).execute()
  return new Map(rows.map(row => [row.user_id, row.display_name]))
}
