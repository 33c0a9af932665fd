import { putExamRights } from '@campus/access/server'
import type { ExamDenial, ExamRight } from '@campus/access/server'
import { sql } from 'kysely'
import type { ExamsCtx } from '../db.ts'

const [pupil, staff] = [1, 2] as const
/** Candidates and invigilators get in so long before a session begins (chapter 55 §1.2 sign_from). */
export const sign_before_ms = 30 * 60_000

type Row = {
  session_id: string; room_id: string; place_id: string; begin_at: Date; end_at: Date; pupil_ids: string[]; teacher_ids: string[]; is_lifted: boolean
}

/**
 * Lets the candidates and invigilators of a published plan into their rooms and nobody else, from half an hour before each session to
 * its end; where the control of
 * a door was lifted others keep their ways; of a plan that is called back nothing is left (chapter 55 rule 31). Perimeter gates and what
 * else opens a door stay as they are. @returns doors that are concerned
 */
export async function renewRights(ctx: ExamsCtx, exam_id: string, is_open: boolean): Promise<{ doors: number }> {
  const { app, db, school_id, now } = ctx
  const rows = is_open ? await readRooms(ctx, exam_id) : []
  const rights = rows.flatMap((row): ExamRight[] => [[pupil, row.pupil_ids] as const, [staff,
    row.teacher_ids] as const].map(([person_kind, user_ids]) => ({
    source_id: `${exam_id}/${row.session_id}/${row.room_id}/${person_kind}`, person_kind, user_ids, place_id: row.place_id, reason: '考试',
    valid_from: new Date(row.begin_at.getTime() - sign_before_ms), valid_to: row.end_at,
  })))
  const denials = rows.filter(row => !row.is_lifted).map((row): ExamDenial => ({
    source_id: `${exam_id}/${row.session_id}/${row.room_id}/0`, place_id: row.place_id, reason: '考试',
    valid_from: new Date(row.begin_at.getTime() - sign_before_ms), valid_to: row.end_at,
  }))
  return putExamRights({ app, db, school_id, now }, exam_id, { rights, denials })
}

async function readRooms({ db, school_id }: ExamsCtx, exam_id: string): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select b.session_id::text as session_id, b.room_id::text as room_id, b.place_id::text as place_id, b.begin_at, b.end_at,
      array(select t.user_id::text from exam_seat t where t.school_id = ${school_id} and t.session_id = b.session_id
        and t.room_id = b.room_id) as pupil_ids,
      array(select i.user_id::text from exam_invigilator i where i.school_id = ${school_id} and i.session_id = b.session_id
        and i.room_id = b.room_id) as teacher_ids,
      exists (select 1 from exam_control_override o where o.school_id = ${school_id} and o.session_id = b.session_id
        and o.room_id = b.room_id and o.kind = 'door') as is_lifted
    from exam_room_session b where b.school_id = ${school_id} and b.exam_id = ${exam_id} order by b.begin_at, b.room_id`.execute(db)
  return rows
}
