import { attend_flags, attend_states as states, ruleErrors } from '@campus/attendance/contract'
import type { rollcallApi, RollCall, RollPupil } from '@campus/attendance/contract'
import { deptScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import type { AttendanceCtx } from '../db.ts'
import { minute_ms, zone_ms } from '../judge/window.ts'
import { markPeople } from '../recompute/dirty.ts'

type Lesson = { date: string; lesson_day_id: string; section: number; subject: string; class_id: string; dept_id: string | null; class_name: string | null; place_id: string | null; place_name: string | null; begin_at: Date; end_at: Date; is_mine: boolean }
type Saved = { state: string; row_version: number; taken_by: string; taken_at: Date; taken_by_name: string | null; draft: unknown }
const Draft = z.record(z.string(), z.enum(['present', 'late', 'absent', 'left']))
const [rollcall_source, bulk_source, by_hand, entered] = [2, 5, 4, 7] as const
/** A roll-call may be submitted so long after the end; a supervised entry after an outage so many days. */
const [after_min, bulk_days] = [30, 3] as const

/** Lessons of today that the acting person gives. */
export async function todayLessons(ctx: AttendanceCtx): Promise<Reply<typeof rollcallApi.today>> {
  const { db, school_id, now, me } = ctx
  ctx.scoped()
  const { rows } = await sql<Lesson & { state: string | null }>`
    select ${lessonColumns()}, c.state from lesson_day_v d ${lessonJoins(school_id, me.user_id)}
    left join attend_rollcall c on c.school_id = ${school_id} and c.lesson_date = d.date and c.lesson_day_id = d.lesson_day_id
    where d.school_id = ${school_id} and d.date = ${schoolDay(now)}::date and d.state not in (4, 5) and t.user_id is not null
      order by d.begin_at`.execute(db)
  return { list: rows.map(row => ({
    lesson_day_id: row.lesson_day_id, title: titleOf(row), class_name: row.class_name ?? '教学班', place_name: row.place_name,
    begin: row.begin_at.toISOString(), end: row.end_at.toISOString(), state: row.state ?? 'none',
  })) }
}

/** The roll of a lesson, filled from what devices saw; a draft goes before. @throws Refusal 404 */
export async function readRollCall(ctx: AttendanceCtx, lesson_day_id: string): Promise<RollCall> {
  const lesson = await requireLesson(ctx, lesson_day_id)
  const saved = await savedOf(ctx, lesson)
  const draft = Draft.catch({}).parse(saved?.draft)
  const pupils = (await rosterOf(ctx, lesson)).map(pupil => ({ ...pupil, claim: draft[pupil.user_id] ?? pupil.claim }))
  return {
    lesson_day_id, lesson_date: lesson.date, title: titleOf(lesson), class_name: lesson.class_name ?? '教学班', place_name: lesson.place_name, begin: lesson.begin_at.toISOString(), end: lesson.end_at.toISOString(),
    state: saved?.state === 'submitted'
      ? 'submitted'
      : saved
      ? 'draft'
      : 'none', taken_by_name: saved?.taken_by_name ?? null, taken_at: saved?.taken_at.toISOString() ?? null, version: saved?.row_version ?? 0, pupils,
  }
}

/** Keeps what has been ticked so far. @throws Refusal 404, 409 rollcallStale, 422 rollcallUnknown */
export async function saveDraft(
  ctx: AttendanceCtx, { lesson_day_id, version, rows }: Input<typeof rollcallApi.draft>,
): Promise<{ version: number }> {
  const lesson = await requireLesson(ctx, lesson_day_id)
  await refuseStrangers(ctx, lesson, rows)
  const draft = Object.fromEntries(rows.map(row => [row.user_id, row.claim]))
  return { version: await takeVersion(ctx, lesson, version, { state: 'draft', draft: JSON.stringify(draft) }) }
}

/**
 * Hands the roll in: one claim a pupil, under the teacher's name (chapter 55 §3.11). The second of two who submit at once is told who was
 * first.
 * @throws Refusal 404, 409 rollcallStale, 422 rollcallEarly, rollcallClosed, rollcallAll, rollcallUnknown
 */
export async function submitRollCall(
  ctx: AttendanceCtx, { lesson_day_id, version, rows, confirm_all, is_bulk, taken_at }: Input<typeof rollcallApi.submit>,
): Promise<Reply<typeof rollcallApi.submit>> {
  const { db, school_id, now, me } = ctx
  const lesson = await requireLesson(ctx, lesson_day_id)
  if (now < lesson.begin_at) throw fail(ruleErrors.rollcallEarly)
  if (now.getTime() > lesson.end_at.getTime() + (is_bulk ? bulk_days * 1440 : after_min) * minute_ms) throw fail(ruleErrors.rollcallClosed)
  await refuseStrangers(ctx, lesson, rows)
  const count = (claim: string) => rows.filter(row => row.claim === claim).length
  const counts = { present: count('present') + count('left'), late: count('late'), absent: count('absent') }
  if (counts.absent === rows.length && !confirm_all) throw fail(ruleErrors.rollcallAll)
  const draft = Object.fromEntries(rows.map(row => [row.user_id, row.claim]))
  const next = await takeVersion(ctx, lesson, version, { state: 'submitted', draft: JSON.stringify(draft), ...counts })
  const common = {
    school_id, event_date: lesson.date, person_kind: 1, event_time: seenAt(lesson, now, taken_at), received_at: now, time_state: 0, place_id: lesson.place_id,
    lesson_day_id, by: me.user_id,
  }
  const how = is_bulk ? { source: bulk_source, identify_type: entered } : { source: rollcall_source, identify_type: by_hand }
  // After an outage the teacher enters who was there; who was not stays to be verified.
  const said = is_bulk ? rows.filter(row => row.claim !== 'absent') : rows
  await insertMany(
    db, 'attend_event',
    said.map(({ user_id, claim }) => ({ ...common, ...how, source_key: `${lesson_day_id}/${next}/${user_id}`, user_id, claim }))
  )
  await markPeople(ctx, lesson.date, rows.map(row => row.user_id), 'late_event', lesson_day_id)
  ctx.note({
    target_kind: 'attendance.rollcall', target_id: lesson_day_id, target_name: `${lesson.class_name ?? ''} ${titleOf(lesson)}`,
    after: counts,
  })
  return { version: next, ...counts }
}

/** A roll that was kept without a line speaks of when it was taken, inside the lesson and never ahead of the server's clock. */
function seenAt({ begin_at, end_at }: Lesson, now: Date, taken_at: string | undefined): Date {
  if (taken_at === undefined) return now
  const latest = Math.min(now.getTime(), end_at.getTime())
  return new Date(Math.max(begin_at.getTime(), Math.min(Date.parse(taken_at), latest)))
}

function lessonColumns() {
  return sql`d.date::text as date, d.lesson_day_id::text as lesson_day_id, d.section::int as section, coalesce(i.name, '课程') as subject, d.class_id::text as class_id, d.dept_id::text as dept_id, v.dept_name as class_name,
    d.place_id::text as place_id, p.place_name, d.begin_at, d.end_at, t.user_id is not null as is_mine`
}

function lessonJoins(school_id: number, user_id: string) {
  return sql`
    left join dictionary_v i on i.school_id = ${school_id} and i.sc_code_type = 'SUBJECT' and i.sc_code_item = d.subject
    left join dept_now v on v.school_id = ${school_id} and v.id = d.dept_id
    left join place_live_v p on p.school_id = ${school_id} and p.place_id = d.place_id
    left join (select x.date, x.lesson_day_id, min(x.user_id) as user_id from lesson_day_teacher_v x where x.school_id = ${school_id}
      and x.user_id = ${user_id} and x.role <> 5 group by x.date, x.lesson_day_id) t
      on t.date = d.date and t.lesson_day_id = d.lesson_day_id`
}

function titleOf({ section, subject }: Lesson): string {
  return `第${section}节 ${subject}`
}

/** A lesson that takes place, of a teacher who gives it or of a class in the department scope. @throws Refusal 404 */
async function requireLesson(ctx: AttendanceCtx, lesson_day_id: string): Promise<Lesson> {
  const { db, school_id, me } = ctx
  const scope = await deptScope(ctx, 'student')
  const { rows } = await sql<Lesson>`select ${lessonColumns()} from lesson_day_v d ${lessonJoins(school_id, me.user_id)}
    where d.school_id = ${school_id} and d.lesson_day_id = ${lesson_day_id} and d.state not in (4, 5)`.execute(db)
  const [lesson] = rows
  const is_seen = lesson && (lesson.is_mine || scope === 'all' || (lesson.dept_id !== null && scope.includes(lesson.dept_id)))
  if (!lesson || !is_seen) throw fail(commonErrors.notFound)
  return lesson
}

async function savedOf({ db, school_id }: AttendanceCtx, { date, lesson_day_id }: Lesson): Promise<Saved | undefined> {
  const { rows } = await sql<Saved>`
    select c.state, c.row_version::int as row_version, c.taken_by::text as taken_by, c.taken_at, c.draft, p.display_name as taken_by_name
    from attend_rollcall c left join person_label p on p.school_id = ${school_id} and p.user_id = c.taken_by
    where c.school_id = ${school_id} and c.lesson_date = ${date}::date and c.lesson_day_id = ${lesson_day_id}`.execute(db)
  return rows[0]
}

/** Pupils of the lesson with what is known of them; the claim is a proposal that the teacher changes. */
async function rosterOf({ db, school_id }: AttendanceCtx, { date, lesson_day_id }: Lesson): Promise<RollPupil[]> {
  const { rows } = await sql<{ user_id: string; user_name: string; state: number | null; in_at: Date | null; flags: number | null }>`
    select s.user_id::text as user_id, l.display_name as user_name, r.state::int as state, r.in_at, r.flags::int as flags
    from lesson_student_v s join person_label l on l.school_id = ${school_id} and l.user_id = s.user_id
    left join attend_result r on r.school_id = ${school_id} and r.lesson_date = s.date and r.expect_kind = 1
      and r.occurrence_id = s.lesson_day_id and r.user_id = s.user_id
    where s.school_id = ${school_id} and s.date = ${date}::date and s.lesson_day_id = ${lesson_day_id} order by l.display_name,
      s.user_id`.execute(db)
  return rows.map(({ user_id, user_name, state, in_at, flags }) => {
    const leave = state === states.leave || state === states.outside
    const claim = leave || state === states.absent ? 'absent' : state === states.late ? 'late' : 'present'
    return {
      user_id, user_name, state: state ?? states.early_to_say, in_at: in_at?.toISOString() ?? null, leave,
      in_school: ((flags ?? 0) & attend_flags.in_school) !== 0, claim,
    }
  })
}

async function refuseStrangers(ctx: AttendanceCtx, lesson: Lesson, rows: readonly { user_id: string }[]): Promise<void> {
  const known = new Set((await rosterOf(ctx, lesson)).map(pupil => pupil.user_id))
  if (rows.some(row => !known.has(row.user_id)) || new Set(rows.map(row => row.user_id)).size !== rows.length) throw fail(ruleErrors.rollcallUnknown)
}

/**
 * Writes where the version is still the one that was read. @returns the next version @throws Refusal 409 rollcallStale with who and when
 */
async function takeVersion(ctx: AttendanceCtx, lesson: Lesson, version: number, facts: { state: string; draft: string }): Promise<number> {
  const { db, school_id, now, me } = ctx
  const key = { school_id, lesson_date: lesson.date, lesson_day_id: lesson.lesson_day_id }
  const taken = { ...facts, taken_by: me.user_id, taken_at: now, row_version: version + 1 }
  const written = version === 0
    ? await db.insertInto('attend_rollcall').values({ ...key, ...taken }).onConflict(on => on.doNothing()).returning('row_version')
      .executeTakeFirst()
    : await db.updateTable('attend_rollcall').set(taken).where('school_id', '=', school_id).where('lesson_date', '=', lesson.date)
      .where('lesson_day_id', '=', lesson.lesson_day_id).where('row_version', '=', version)
      .returning('row_version').executeTakeFirst()
  if (written) return written.row_version
  const saved = await savedOf(ctx, lesson)
  const time = saved ? new Date(saved.taken_at.getTime() + zone_ms).toISOString().slice(11, 16) : ''
  throw fail(ruleErrors.rollcallStale, { params: { name: saved?.taken_by_name ?? '其他教师', time } })
}
