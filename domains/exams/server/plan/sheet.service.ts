import { requireDept } from '@campus/people/server'
import type { planApi, SheetSeat } from '@campus/exams/contract'
import type { Input, Reply } from '@kit/contract'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { ExamsCtx } from '../db.ts'
import { requireExam } from '../exam/exam.queries.ts'

/** Seats for paper, of one session or one class or all: door sheets, labels, admission slips (chapter 55 rule 39). @throws Refusal 404 */
export async function readSheets(ctx: ExamsCtx, { exam_id, session_id,
  dept_id }: Input<typeof planApi.sheets>): Promise<Reply<typeof planApi.sheets>> {
  const { db, school_id, now } = ctx
  await requireExam(db, school_id, now, exam_id)
  await requireDept(ctx, dept_id)
  if (session_id !== undefined) {
    const session = await db.selectFrom('exam_session').select('session_id').where('school_id', '=', school_id).where('exam_id', '=',
      exam_id).where('session_id', '=', session_id).executeTakeFirst()
    if (!session) throw fail(commonErrors.notFound)
  }
  const { rows } = await sql<SheetSeat>`
    select t.session_id::text as session_id, t.room_id::text as room_id, t.seat::int as seat, t.user_id::text as user_id,
      p.display_name as user_name, coalesce(l.student_no, '') as student_no,
      c.exam_no, coalesce(d.dept_name, '') as dept_name
    from exam_seat t
    join exam_session s on s.school_id = ${school_id} and s.session_id = t.session_id
    join exam_room r on r.school_id = ${school_id} and r.room_id = t.room_id
    join exam_candidate c on c.school_id = ${school_id} and c.exam_id = ${exam_id} and c.user_id = t.user_id
    join person_label p on p.school_id = ${school_id} and p.user_id = t.user_id
    left join live_student l on l.school_id = ${school_id} and l.user_id = t.user_id
    left join dept_now d on d.school_id = ${school_id} and d.id = c.dept_id
    where t.school_id = ${school_id} and t.exam_id = ${exam_id}
      and ${session_id === undefined ? sql`true` : sql`t.session_id = ${session_id}`}
        and ${dept_id === undefined ? sql`true` : sql`c.dept_id = ${dept_id}`}
    order by s.begin_at, r.number, t.seat`.execute(db)
  return { seats: rows }
}
