import { attend_states, filed_evidence, resultErrors } from '@campus/attendance/contract'
import type { appealApi, correctionApi, EvidenceKind, ResultKey } from '@campus/attendance/contract'
import { selfScope } from '@campus/people/server'
import { commonErrors, fail, Refusal } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { AttendanceCtx } from '../db.ts'
import { applyCorrection } from './correction.apply.ts'
import { sameKey } from './row.service.ts'
import { zone_ms } from '../judge/window.ts'
import { correctionWindows } from '../rule/setting.service.ts'
import { requireOpenMonth } from './seal.service.ts'
import { seenResults } from './scope.ts'

type Draft = Input<typeof correctionApi.add>
type Wish = Omit<Draft, 'rows'>
/** One result that is to be corrected, with what decides whether its asker may. */
type Target = ResultKey & {
  user_name: string
  person_kind: number
  state: number
  late_min: number
  early_min: number
  begin_at: Date
  end_at: Date
  is_head: boolean
  is_own_lesson: boolean
}
type Origin = 'teacher' | 'office' | 'appeal'

const approve_code = 'attendance.correct.approve'
const [waits, in_effect] = [0, 1] as const

/** Corrects rows, each by itself: those that may not be are answered with their sentence. @throws Refusal what the first row is refused for when all are; 404, 422 attend.evidence */
export async function addCorrections(ctx: AttendanceCtx, { rows, ...wish }: Draft): Promise<Reply<typeof correctionApi.add>> {
  requireEvidence(wish.evidence_kind, wish.file_keys)
  const targets = await seenTargets(ctx, rows)
  const origin: Origin = ctx.me.codes.has(approve_code) ? 'office' : 'teacher'
  const correction_ids: string[] = []
  const refusals: { key: ResultKey; refusal: Refusal }[] = []
  for (const key of rows) {
    const target = targets.find(one => isSame(one, key))
    const made = await correctOne(ctx, target, wish, origin).catch((error: unknown) => {
      if (error instanceof Refusal) return error
      throw error
    })
    if (made instanceof Refusal) refusals.push({ key, refusal: made })
    else correction_ids.push(made)
  }
  const [first] = refusals
  if (first && correction_ids.length === 0) throw first.refusal
  ctx.note({
    target_kind: 'attendance.correction',
    target_id: correction_ids[0] ?? '',
    after: { rows: correction_ids.length, to_state: wish.to_state, reason: wish.reason_text },
  })
  const refused = refusals.map(({ key: { user_id, lesson_date }, refusal }) => ({
    user_id,
    lesson_date,
    user_name: targets.find(one => one.user_id === user_id)?.user_name ?? '',
    error_id: refusal.failure.id,
    msg: refusal.message,
  }))
  return { correction_ids, waiting: 0, refused }
}

/** A person or his guardian asks for a correction; it waits for somebody of the school. @throws Refusal 404, 409, 422 */
export async function addAppeal(ctx: AttendanceCtx, { row, ...wish }: Input<typeof appealApi.add>): Promise<Reply<typeof appealApi.add>> {
  const own = await selfScope(ctx)
  if (!own.includes(row.user_id)) throw fail(commonErrors.notFound)
  requireEvidence(wish.evidence_kind, wish.file_keys)
  const [target] = await readTargets(ctx, [row])
  const correction_id = await correctOne(ctx, target, wish, 'appeal')
  ctx.note({
    target_kind: 'attendance.correction',
    target_id: correction_id,
    target_name: target?.user_name ?? '',
    after: { to_state: wish.to_state, reason: wish.reason_text },
  })
  return { correction_id }
}

async function correctOne(ctx: AttendanceCtx, target: Target | undefined, wish: Wish, origin: Origin): Promise<string> {
  const { db, school_id, me, now } = ctx
  if (!target) throw fail(resultErrors.notExpected)
  if (origin !== 'appeal' && target.user_id === me.user_id) throw fail(resultErrors.correctSelf)
  if (now < target.begin_at) throw fail(resultErrors.tooEarly)
  if (now.getTime() - target.end_at.getTime() > (await windowOf(ctx, target, origin))) throw fail(resultErrors.correctLate)
  const { lesson_date, expect_kind, occurrence_id, user_id } = target
  const key = { lesson_date, expect_kind, occurrence_id, user_id }
  const late_min = wish.to_state === attend_states.late ? (wish.late_min ?? 0) : 0
  const early_min = wish.to_state === attend_states.early ? (wish.early_min ?? 0) : 0
  // Somebody may have just corrected it to the same: he is named first.
  const is_same = target.state === wish.to_state && target.late_min === late_min && target.early_min === early_min
  if (is_same) throw (await existing(ctx, key)) ?? fail(resultErrors.sameState)
  await requireOpenMonth(ctx, target.lesson_date)
  const state = origin === 'appeal' ? waits : in_effect
  const decided = state === in_effect ? { decided_by: me.user_id, decided_at: now } : {}
  const { reason_code, reason_text, evidence_kind, file_keys, to_state } = wish
  const made = await db
    .insertInto('attend_correction')
    .values({
      ...key,
      ...decided,
      school_id,
      from_state: target.state,
      to_state,
      late_min,
      early_min,
      reason_code,
      reason_text,
      evidence_kind,
      file_keys: [...file_keys],
      origin,
      state,
      asked_by: me.user_id,
      asked_at: now,
    })
    .onConflict(on =>
      on
        .columns(['school_id', 'lesson_date', 'expect_kind', 'occurrence_id', 'user_id'])
        .where('state', 'in', [sql.lit(waits), sql.lit(in_effect)])
        .doNothing(),
    )
    .returning('correction_id')
    .executeTakeFirst()
  if (!made) throw (await existing(ctx, key)) ?? fail(commonErrors.stale)
  if (state === in_effect)
    await applyCorrection(ctx, { ...key, correction_id: made.correction_id, from_state: target.state, to_state, late_min, early_min })
  return made.correction_id
}

/** The refusal that names who has corrected this result already; null where nobody has. */
async function existing({ db, school_id }: AttendanceCtx, key: ResultKey): Promise<Refusal | null> {
  const { rows } = await sql<{ name: string; at: Date }>`
    select coalesce(p.display_name, '') as name, c.asked_at as at from attend_correction c
      left join person_label p on p.school_id = ${school_id} and p.user_id = c.asked_by
    where c.school_id = ${school_id} and ${sameKey('c', key)} and c.state in (0, 1)`.execute(db)
  const [found] = rows
  return found ? fail(resultErrors.correctExists, { params: { name: found.name, time: minuteText(found.at) } }) : null
}

const minuteText = (at: Date) => new Date(at.getTime() + zone_ms).toISOString().slice(0, 16).replace('T', ' ')

async function windowOf({ db, school_id }: AttendanceCtx, target: Target, origin: Origin): Promise<number> {
  const windows = await correctionWindows(db, school_id)
  if (origin === 'office') return windows.office
  return origin === 'appeal' || target.is_head || !target.is_own_lesson ? windows.head : windows.lesson
}

function requireEvidence(kind: EvidenceKind, file_keys: readonly string[]): void {
  if (filed_evidence.includes(kind) && file_keys.length === 0)
    throw fail(resultErrors.evidence, { errors: [{ field: 'file_keys', msg: resultErrors.evidence.msg }] })
}

const isSame = (a: ResultKey, b: ResultKey) =>
  a.lesson_date === b.lesson_date && a.expect_kind === b.expect_kind && a.occurrence_id === b.occurrence_id && a.user_id === b.user_id

/** The results among these that somebody sees. @throws Refusal 404 when one of the people is unknown, or one of the results is another's to see */
async function seenTargets(ctx: AttendanceCtx, keys: readonly ResultKey[]): Promise<Target[]> {
  const { db, school_id } = ctx
  const dates = keys.map(key => key.lesson_date).toSorted()
  const days = { from: dates[0] ?? '', to: dates.at(-1) ?? '' }
  const [pupils, staff] = [await seenResults(ctx, 'student', days), await seenResults(ctx, 'teacher', days)]
  const user_ids = [...new Set(keys.map(key => key.user_id))]
  const known = await db
    .selectFrom('person_label')
    .select('user_id')
    .where('school_id', '=', school_id)
    .where(sql<boolean>`user_id = any(${user_ids}::bigint[])`)
    .execute()
  if (known.length < user_ids.length) throw fail(commonErrors.notFound)
  const all = await readTargets(ctx, keys)
  const seen = await sql<{ n: number }>`select count(*)::int as n from attend_result r
    where r.school_id = ${school_id} and ${amongKeys(keys)}
      and ((r.person_kind = 1 and ${pupils}) or (r.person_kind = 2 and ${staff}))`.execute(
    db,
  )
  if ((seen.rows[0]?.n ?? 0) < all.length) throw fail(commonErrors.notFound)
  return all
}

function amongKeys(keys: readonly ResultKey[]) {
  return sql`(r.lesson_date, r.expect_kind, r.occurrence_id, r.user_id) in (
    select k.lesson_date, k.expect_kind, k.occurrence_id, k.user_id
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) k(lesson_date date, expect_kind smallint, occurrence_id bigint,
      user_id bigint))`
}

async function readTargets({ db, school_id, me }: AttendanceCtx, keys: readonly ResultKey[]): Promise<Target[]> {
  const { rows } = await sql<Target>`
    select r.lesson_date::text as lesson_date, r.expect_kind::int as expect_kind, r.occurrence_id::text as occurrence_id,
      r.user_id::text as user_id, coalesce(p.display_name, '') as user_name,
      r.person_kind::int as person_kind, r.state::int as state, r.late_min::int as late_min, r.early_min::int as early_min,
      coalesce(l.begin_at, r.lesson_date::timestamp at time zone 'Asia/Shanghai') as begin_at,
        coalesce(l.end_at, (r.lesson_date + 1)::timestamp at time zone 'Asia/Shanghai') as end_at,
      coalesce(${me.user_id}::bigint = any(l.teacher_ids), false) as is_own_lesson,
      exists (select 1 from duty_span y where y.school_id = ${school_id} and y.user_id = ${me.user_id} and y.duty = 'head'
        and y.dept_id = r.dept_id
        and y.valid_from <= r.lesson_date and (y.valid_to is null or y.valid_to > r.lesson_date)) as is_head
    from attend_result r
    left join lesson_day_v l on l.school_id = ${school_id} and l.date = r.lesson_date
      and l.lesson_day_id = case when r.expect_kind = 1 then r.occurrence_id end
    left join person_label p on p.school_id = ${school_id} and p.user_id = r.user_id
    where r.school_id = ${school_id} and ${amongKeys(keys)}`.execute(db)
  return rows
}
