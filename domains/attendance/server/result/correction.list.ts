import { CorrectionRow } from '@campus/attendance/contract'
import type { correctionList } from '@campus/attendance/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { AttendanceCtx } from '../db.ts'
import { day_ms } from '../judge/window.ts'
import { readSetting } from '../rule/setting.service.ts'
import { approve_code } from './correction.decide.ts'
import { daysOf, inDept, kind_of, named, requireFilters, seenResults } from './scope.ts'

type Query = z.output<typeof correctionList.query>
const most_days = 366
const [waits, in_effect] = [0, 1] as const
const instant = z.date().transform(at => at.toISOString())
const Found = CorrectionRow.omit({ may_decide: true, may_undo: true }).extend({
  asked_at: instant,
  decided_at: instant.nullable(),
  asked_by: z.string(),
})

/** Corrections and appeals of what somebody sees, those that wait first. @throws Refusal 404, 422 attend.range */
export async function pageCorrections(ctx: AttendanceCtx, query: Query): Promise<{ list: CorrectionRow[]; total: number }> {
  const { db, school_id, me, now } = ctx
  const from = sql`attend_correction c
    join attend_result r on r.school_id = ${school_id} and r.lesson_date = c.lesson_date and r.expect_kind = c.expect_kind
      and r.occurrence_id = c.occurrence_id and r.user_id = c.user_id
    left join person_label p on p.school_id = ${school_id} and p.user_id = c.user_id
    left join school_user_v u on u.school_id = ${school_id} and u.user_id = c.user_id
    left join dept_now d on d.school_id = ${school_id} and d.id = r.dept_id
    left join course_name_v k on k.school_id = ${school_id} and k.course_id = r.course_id
    left join person_label a on a.school_id = ${school_id} and a.user_id = c.asked_by
    left join person_label b on b.school_id = ${school_id} and b.user_id = c.decided_by
    where ${await whereOf(ctx, query)}`
  const { rows } = await sql`
    select c.correction_id::text as correction_id, c.lesson_date::text as lesson_date, c.expect_kind::int as expect_kind,
      c.occurrence_id::text as occurrence_id, c.user_id::text as user_id,
      coalesce(p.display_name, '已注销人员') as user_name, u.user_no, d.dept_name, r.section::int as section, k.course_name,
        c.from_state::int as from_state, c.to_state::int as to_state,
      c.late_min::int as late_min, c.early_min::int as early_min, c.reason_code, c.reason_text, c.evidence_kind, c.file_keys, c.origin,
        c.state::int as state, c.asked_by::text as asked_by,
      coalesce(a.display_name, '') as asked_name, c.asked_at, b.display_name as decided_name, c.decided_at, c.opinion, c.row_version
    from ${from} order by (c.state = 0) desc,
      c.correction_id desc limit ${query.page_size} offset ${(query.page_index - 1) * query.page_size}`.execute(
    db,
  )
  const counted = await sql<{ n: number }>`select count(*)::int as n from ${from}`.execute(db)
  const approves = me.codes.has(approve_code)
  const { undo_days } = await readSetting(db, school_id)
  const list = z
    .array(Found)
    .parse(rows)
    .map(({ asked_by, ...row }): CorrectionRow => {
      const is_mine = asked_by === me.user_id
      const is_young = now.getTime() - Date.parse(row.decided_at ?? row.asked_at) <= undo_days * day_ms
      return {
        ...row,
        may_decide: approves && row.state === waits && !is_mine && row.user_id !== me.user_id,
        may_undo: (row.state === waits || row.state === in_effect) && (is_mine || approves) && is_young,
      }
    })
  return { list, total: counted.rows[0]?.n ?? 0 }
}

async function whereOf(ctx: AttendanceCtx, query: Query): Promise<RawBuilder<unknown>> {
  const { school_id, now } = ctx
  const { keyword, dept_id, state, origin, person_kind } = query
  await requireFilters(ctx, { dept_id })
  const days = query.from === undefined && query.to === undefined ? { from: '2000-01-01', to: '2999-12-31' } : daysOf(now, query, most_days)
  const [pupils, staff] = [await seenResults(ctx, 'student', days), await seenResults(ctx, 'teacher', days)]
  const where: RawBuilder<unknown>[] = [
    sql`c.school_id = ${school_id} and c.lesson_date >= ${days.from}::date and c.lesson_date <= ${days.to}::date`,
    sql`((r.person_kind = ${kind_of.student} and ${pupils}) or (r.person_kind = ${kind_of.teacher} and ${staff}))`,
  ]
  if (keyword !== undefined) where.push(named(school_id, sql`c.user_id`, keyword))
  if (dept_id !== undefined) where.push(inDept(school_id, sql`r.dept_id`, dept_id))
  if (state !== undefined) where.push(sql`c.state = ${Number(state)}`)
  if (origin !== undefined) where.push(sql`c.origin = ${origin}`)
  if (person_kind !== undefined) where.push(sql`r.person_kind = ${Number(person_kind)}`)
  return sql.join(where, sql` and `)
}
