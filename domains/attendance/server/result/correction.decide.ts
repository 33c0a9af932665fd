import { resultErrors } from '@campus/attendance/contract'
import type { correctionApi } from '@campus/attendance/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { AttendanceCtx } from '../db.ts'
import { applyCorrection, liftCorrection } from './correction.apply.ts'
import { day_ms } from '../judge/window.ts'
import { readSetting } from '../rule/setting.service.ts'
import { requireOpenMonth } from './seal.service.ts'
import { kind_of, seenResults } from './scope.ts'

export const approve_code = 'attendance.correct.approve'
const [waits, in_effect, refused, withdrawn] = [0, 1, 2, 3] as const

type Decided = Reply<typeof correctionApi.approve>
type Verdict = Input<typeof correctionApi.approve>
type Correction = {
  correction_id: string
  lesson_date: string
  expect_kind: number
  occurrence_id: string
  user_id: string
  from_state: number
  to_state: number
  late_min: number
  early_min: number
  state: number
  asked_by: string
  asked_at: Date
  decided_at: Date | null
  row_version: number
  now_state: number
  user_name: string
}

/** Puts an appeal into effect. @throws Refusal 404, 403 for one's own, 409 when it is decided, changed or its month sealed */
export async function approveCorrection(ctx: AttendanceCtx, verdict: Verdict): Promise<Decided> {
  const correction = await undecided(ctx, verdict)
  await requireOpenMonth(ctx, correction.lesson_date)
  const decided = await decide(ctx, correction, in_effect, verdict.opinion)
  const { correction_id, lesson_date, expect_kind, occurrence_id, user_id, to_state, late_min, early_min, now_state } = correction
  await applyCorrection(ctx, {
    correction_id,
    lesson_date,
    expect_kind,
    occurrence_id,
    user_id,
    to_state,
    late_min,
    early_min,
    from_state: now_state,
  })
  return decided
}

/** Refuses an appeal. @throws Refusal 404, 403, 409, 422 without an opinion */
export async function rejectCorrection(ctx: AttendanceCtx, verdict: Verdict): Promise<Decided> {
  const correction = await undecided(ctx, verdict)
  if (verdict.opinion === '') throw fail(commonErrors.invalid, { errors: [{ field: 'opinion', msg: '请填写驳回意见' }] })
  return decide(ctx, correction, refused, verdict.opinion)
}

/** Takes a correction back: whoever asked for it, or may decide. @throws Refusal 404, 403, 409, 422 after seven days */
export async function undoCorrection(ctx: AttendanceCtx, asked: Input<typeof correctionApi.undo>): Promise<Decided> {
  const { me, now } = ctx
  const correction = await lockSeen(ctx, asked)
  if (correction.state !== waits && correction.state !== in_effect) throw fail(resultErrors.correctDecided)
  if (correction.asked_by !== me.user_id && !me.codes.has(approve_code)) throw fail(commonErrors.forbidden)
  const { undo_days } = await readSetting(ctx.db, ctx.school_id)
  if (now.getTime() - (correction.decided_at ?? correction.asked_at).getTime() > undo_days * day_ms)
    throw fail(resultErrors.correctKept, { params: { n: undo_days } })
  await requireOpenMonth(ctx, correction.lesson_date)
  const decided = await decide(ctx, correction, withdrawn, null)
  const { correction_id, lesson_date, expect_kind, occurrence_id, user_id, from_state, to_state } = correction
  if (correction.state === in_effect)
    await liftCorrection(ctx, { correction_id, lesson_date, expect_kind, occurrence_id, user_id, from_state, to_state })
  return decided
}

async function undecided(ctx: AttendanceCtx, verdict: Verdict): Promise<Correction> {
  const correction = await lockSeen(ctx, verdict)
  if (correction.state !== waits) throw fail(resultErrors.correctDecided)
  if (correction.user_id === ctx.me.user_id) throw fail(resultErrors.correctSelf)
  if (correction.asked_by === ctx.me.user_id) throw fail(resultErrors.correctSame)
  return correction
}

async function lockSeen(
  ctx: AttendanceCtx,
  { correction_id, row_version }: { correction_id: string; row_version: number },
): Promise<Correction> {
  const { db, school_id } = ctx
  const locked = await db
    .selectFrom('attend_correction')
    .select('lesson_date')
    .where('school_id', '=', school_id)
    .where('correction_id', '=', correction_id)
    .forUpdate()
    .executeTakeFirst()
  if (!locked) throw fail(commonErrors.notFound)
  const days = { from: locked.lesson_date, to: locked.lesson_date }
  const [pupils, staff] = [await seenResults(ctx, 'student', days), await seenResults(ctx, 'teacher', days)]
  const { rows } = await sql<Correction>`
    select c.correction_id::text as correction_id, c.lesson_date::text as lesson_date, c.expect_kind::int as expect_kind,
      c.occurrence_id::text as occurrence_id, c.user_id::text as user_id,
      c.from_state::int as from_state, c.to_state::int as to_state, coalesce(c.late_min, 0)::int as late_min,
        coalesce(c.early_min, 0)::int as early_min, c.state::int as state,
      c.asked_by::text as asked_by, c.asked_at, c.decided_at, c.row_version, r.state::int as now_state,
        coalesce(p.display_name, '') as user_name
    from attend_correction c
    join attend_result r on r.school_id = ${school_id} and r.lesson_date = c.lesson_date and r.expect_kind = c.expect_kind
      and r.occurrence_id = c.occurrence_id and r.user_id = c.user_id
    left join person_label p on p.school_id = ${school_id} and p.user_id = c.user_id
    where c.school_id = ${school_id} and c.correction_id = ${correction_id}
      and ((r.person_kind = ${kind_of.student} and ${pupils}) or (r.person_kind = ${kind_of.teacher} and ${staff}))`.execute(db)
  const [correction] = rows
  if (!correction) throw fail(commonErrors.notFound)
  if (correction.row_version !== row_version) throw fail(commonErrors.stale)
  return correction
}

async function decide(
  ctx: AttendanceCtx,
  { correction_id, state: before, row_version, user_name }: Correction,
  state: number,
  opinion: string | null,
): Promise<Decided> {
  const { db, school_id, me, now } = ctx
  await db
    .updateTable('attend_correction')
    .set({ state, decided_by: me.user_id, decided_at: now, row_version: row_version + 1, ...(opinion === null ? {} : { opinion }) })
    .where('school_id', '=', school_id)
    .where('correction_id', '=', correction_id)
    .execute()
  ctx.note({
    target_kind: 'attendance.correction',
    target_id: correction_id,
    target_name: user_name,
    before: { state: before },
    after: { state },
  })
  return { state, row_version: row_version + 1 }
}
