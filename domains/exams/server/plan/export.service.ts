import { examErrors, examSheetApi, planSheet, scoreSheet } from '@campus/exams/contract'
import { commonErrors, fail } from '@kit/contract'
import { exportHandler } from '@kit/server/export'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { ExamsCtx } from '../db.ts'
import { readClasses, requireExam } from '../exam/exam.queries.ts'
import { schoolMinute } from '../exam/minute.ts'
import { listResults } from '../result/analysis.service.ts'
import { scoreScope } from '../score/scope.ts'

/** Seats of every session with their rooms and invigilators. @throws Refusal 404 */
async function pagePlan({ db, school_id, now }: ExamsCtx, { exam_id, page_index,
  page_size }: z.output<typeof planSheet.query>): Promise<z.output<typeof planSheet.reply>> {
  if (exam_id === undefined) throw fail(commonErrors.notFound)
  const { exam_name } = await requireExam(db, school_id, now, exam_id)
  type Row = Omit<z.output<typeof planSheet.row>, 'begin_at' | 'exam_name'> & { begin_at: Date; total: number }
  const { rows } = await sql<Row>`
    select t.session_id || ' ' || t.user_id as row_key, s.session_name, s.begin_at, r.number::int as room_number, coalesce(p.place_name,
      '') as place_name,
      t.seat::int as seat, c.exam_no, coalesce(l.student_no, '') as student_no, n.display_name as user_name, coalesce(d.dept_name,
        '') as dept_name,
      coalesce((select string_agg(w.display_name, '、' order by i.role) from exam_invigilator i
        join person_label w on w.school_id = ${school_id} and w.user_id = i.user_id
        where i.school_id = ${school_id} and i.session_id = t.session_id and i.room_id = t.room_id), '') as watchers,
      (count(*) over ())::int as total
    from exam_seat t
    join exam_session s on s.school_id = ${school_id} and s.session_id = t.session_id
    join exam_room r on r.school_id = ${school_id} and r.room_id = t.room_id
    join exam_candidate c on c.school_id = ${school_id} and c.exam_id = t.exam_id and c.user_id = t.user_id
    join person_label n on n.school_id = ${school_id} and n.user_id = t.user_id
    left join live_student l on l.school_id = ${school_id} and l.user_id = t.user_id
    left join place_live_v p on p.school_id = ${school_id} and p.place_id = r.place_id
    left join dept_now d on d.school_id = ${school_id} and d.id = c.dept_id
    where t.school_id = ${school_id} and t.exam_id = ${exam_id} order by s.begin_at, t.session_id, r.number, t.seat
    limit ${page_size} offset ${(page_index - 1) * page_size}`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    list: rows.map(({ total: _total, begin_at, ...row }) => ({ ...row, exam_name, begin_at: begin_at.toISOString() })),
  }
}

/** Results of a class, or of every class that the caller sees. @throws Refusal 404 */
async function pageScores(ctx: ExamsCtx, { exam_id, dept_id, page_index,
  page_size }: z.output<typeof scoreSheet.query>): Promise<z.output<typeof scoreSheet.reply>> {
  if (exam_id === undefined) throw fail(commonErrors.notFound)
  const exam = await requireExam(ctx.db, ctx.school_id, ctx.now, exam_id)
  const scope = await scoreScope(ctx, exam.grades)
  const classes = dept_id === undefined ? scope.classes.map(one => one.dept_id) : [dept_id]
  const names = new Map((await readClasses(ctx.db, ctx.school_id, exam.grades)).map(one => [one.dept_id, one.dept_name]))
  const exported = `${ctx.me.user_name} ${schoolMinute(ctx.now)}`
  const lines: z.output<typeof scoreSheet.row>[] = []
  for (const id of classes) {
    for (const { scores, user_id, user_name, student_no, total, rank_class, rank_grade } of (await listResults(ctx, { exam_id,
      dept_id: id })).list) {
      const common = { user_id, user_name, student_no, total, rank_class, rank_grade, exported, exam_name: exam.exam_name,
        dept_name: names.get(id) ?? '' }
      lines.push(...scores.map(({ paper_id, subject, text, assigned }) => ({ ...common, row_key: `${user_id} ${paper_id}`, subject, text,
        assigned })))
    }
  }
  return { total: lines.length, list: lines.slice((page_index - 1) * page_size, page_index * page_size) }
}

export const planExport = exportHandler(examSheetApi.plan, planSheet, pagePlan)

const handler = exportHandler(examSheetApi.score, scoreSheet, pageScores)
/** Scores leave the school only with a reason, which stands in the log (chapter 55 rule 23). */
export const scoreExport: typeof handler = {
  ...handler,
  before: (pre, input) => {
    if (input.reason.trim() === '') throw fail(examErrors.exportReason, { errors: [{ field: 'reason', msg: examErrors.exportReason.msg }] })
    return handler.before(pre, input)
  },
}
