import { createAbsent } from '@campus/devices/server'
import type { DevicesViews } from '@campus/devices/server'
import { draftPlan, failChange, makeChange, takeBackChange } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { Work } from './school-work.ts'
import { addDays, startOfDay, workday } from './school-year.ts'
import { spread } from './spread.ts'

const hour_ms = 3_600_000
const morning_ms = 10 * hour_ms
const known_days = 60
/** Days ago on which two pupils of a grade changed places; of the last one somebody thought better. */
const swaps = [55, 48, 41, 33, 27, 20, 14] as const
const undone_swap = 6
/** Days ago on which two boarders did, of whom the terminal of their dormitory knows nothing yet: its line was lost the evening before. */
const waiting_swaps = [6, 2] as const
const [evening_ms, lost_days] = [21 * hour_ms, 7] as const
const boarding = { sex: '1', study_method: '2', terminal: { model_code: 'JD-F10', device_name: '男生宿舍%' } } as const
const moving_reasons = ['家长申请，两班对调', '按学科均衡调整', '同胞分班'] as const

type Leaver = { user_id: string; on: string; reason: string; to_where: string }
type Seat = { user_id: string; dept_id: string }
type Pair = { first: Seat; second: Seat }

/** Commands of the last sixty days: moves and leaves that are settled, one taken back, one with a line that failed, one for next Monday, and the plan of the next promotion (chapter 20 §8). Those that wait for a terminal come when there is one. */
export async function fillChanges(work: Work): Promise<void> {
  const { db, app, school_id } = work
  const desk = { db, app, school_id }
  const { user_id: by } = await clerk(work)
  await draftPromotion(work, by)
  const leavers = await reopenLeavers(work)
  let last = ''
  for (const { user_id, on, ...told } of leavers) {
    last = await makeChange(desk, { kind: 'OUT', effective_on: on, ...told, by, at: new Date(startOfDay(on).getTime() + morning_ms), user_ids: [user_id], to: new Map() })
  }
  if (last !== '') await failChange(desk, last, { effect_code: 'account', detail: '登录账号暂时不能停用，请稍后重试' })
  const pairs = await swapPairs(work, swaps.length + 1)
  for (const [at, pair] of pairs.entries()) {
    const { command_id, given } = await swap(work, by, pair, { at, days: swaps[at] })
    if (at === undone_swap) await takeBackChange(desk, command_id, { by, at: new Date(given.getTime() + 5 * hour_ms), reason: '选错了学生' })
  }
}

/** Two changes of class that wait for the terminal of a dormitory: it holds the boarders as they were when its line was lost (chapter 20 §8). */
export async function fillWaiting(work: Work): Promise<void> {
  const { db, school_id, from, now } = work
  const { model_code, device_name } = boarding.terminal
  const terminal = await asTables<DevicesViews>(db).selectFrom('device_live_v').select('device_id').where('school_id', '=', school_id).where('model_code', '=', model_code).where('device_name', 'like', device_name).orderBy('device_sn', 'desc').executeTakeFirst()
  if (!terminal) return
  const begun = new Date(startOfDay(from).getTime() + hour_ms)
  // Devices go by the real day, whichever the demo's is.
  const lost = new Date(startOfDay(addDays(now.toISOString().slice(0, 10), -lost_days)).getTime() + evening_ms)
  await createAbsent(db, school_id, terminal.device_id, { from: begun, until: lost < begun ? begun : lost })
  const { user_id: by } = await clerk(work)
  for (const [at, pair] of (await swapPairs(work, waiting_swaps.length, boarding)).entries()) await swap(work, by, pair, { at, days: waiting_swaps[at] })
}

/** Who gave the commands. */
function clerk({ db, school_id }: Work): Promise<{ user_id: string }> {
  return db.selectFrom('live_staff').select('user_id').where('school_id', '=', school_id).orderBy('teacher_no').executeTakeFirstOrThrow()
}

/** Two pupils change places: so many days ago, or next Monday. */
async function swap({ db, app, school_id, from, today }: Work, by: string, { first, second }: Pair, { at, days }: { at: number; days: number | undefined }): Promise<{ command_id: string; given: Date }> {
  const past = days === undefined ? null : workday(addDays(today, -days))
  // A year that has just begun has fewer days behind it.
  const effective_on = past === null ? nextMonday(today) : past < from ? from : past
  const given = past === null ? startOfDay(today) : new Date(startOfDay(effective_on).getTime() + morning_ms)
  const command_id = await makeChange({ db, app, school_id }, {
    kind: 'CLASS', effective_on, reason: moving_reasons[at % moving_reasons.length] ?? '', to_where: null, by, at: given,
    user_ids: [first.user_id, second.user_id], to: new Map([[first.user_id, second.dept_id], [second.user_id, first.dept_id]]),
  })
  return { command_id, given }
}

/** The plan of the next promotion as somebody has begun it: where everybody goes by itself, and one family that will move. */
async function draftPromotion({ db, school_id, school_year, today }: Work, by: string): Promise<void> {
  const mover = await db.selectFrom('live_student').select('user_id').where('school_id', '=', school_id).where('grade', '=', '14').orderBy('student_no').executeTakeFirst()
  const plan = { school_year: `${school_year}-${school_year + 1}`, effective_on: `${school_year + 1}-08-31`, created_by: by, created_at: startOfDay(today) }
  await draftPlan(db, school_id, plan, mover ? [{ user_id: mover.user_id, reason: '随父母迁居' }] : [])
}

/** The next Monday after the day. */
function nextMonday(today: string): string {
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
  return addDays(today, weekday === 0 ? 1 : 8 - weekday)
}

/** Those who left of late are put back, so that they leave by a command with its receipt. */
async function reopenLeavers({ db, school_id, today }: Work): Promise<Leaver[]> {
  const { rows } = await sql<Leaver>`
    select t.user_id::text as user_id, t.valid_to::text as on, t.reason, t.to_where from student_span t
    where t.school_id = ${school_id} and t.close_kind = 'OUT' and t.valid_to >= ${addDays(today, -known_days)}::date
      and not exists (select from student_span o where o.school_id = ${school_id} and o.user_id = t.user_id and o.valid_from >= t.valid_to)
    order by t.valid_to, t.user_id`.execute(db)
  const ids = rows.map(row => row.user_id)
  await sql`
    update dept_member m set valid_to = null from student_span t
    where m.school_id = ${school_id} and t.school_id = ${school_id} and t.user_id = m.user_id and m.member_kind = 'student' and m.valid_to = t.valid_to
      and t.close_kind = 'OUT' and m.user_id = any(${ids}::bigint[])`.execute(db)
  await sql`
    update student_span set valid_to = null, close_kind = null, reason = null, to_where = null
    where school_id = ${school_id} and user_id = any(${ids}::bigint[]) and close_kind = 'OUT' and valid_to >= ${addDays(today, -known_days)}::date`.execute(db)
  return rows
}

/** Pupils of two neighbouring classes of a grade, of one sex, so that their classes stay as they are, who have sat there all year; nobody stands in two pairs. `only`: of these alone. */
async function swapPairs({ db, school_id, from }: Work, count: number, only?: Pick<typeof boarding, 'sex' | 'study_method'>): Promise<Pair[]> {
  const is_one = only ? sql` and s.sex = ${only.sex} and s.study_method = ${only.study_method}` : sql``
  const taken = (await sql<{ user_id: string }>`select user_id::text as user_id from change_subject where school_id = ${school_id}`.execute(db)).rows.map(row => row.user_id)
  const { rows } = await sql<{ a: string; a_dept: string; b: string; b_dept: string }>`
    with seat as (
      select distinct on (m.dept_id, s.sex) s.user_id, s.sex, s.student_no, m.dept_id from live_student s
      join dept_member m on m.school_id = s.school_id and m.user_id = s.user_id and m.member_kind = 'student' and m.valid_to is null and m.valid_from <= ${from}::date
      join student_span t on t.school_id = s.school_id and t.user_id = s.user_id and t.state = '01' and t.valid_to is null and t.valid_from <= ${from}::date
      where s.school_id = ${school_id} and m.school_id = ${school_id} and t.school_id = ${school_id}${is_one}
        and s.user_id <> all(${taken}::bigint[])
      order by m.dept_id, s.sex, s.student_no desc
    )
    select distinct on (d.id) x.user_id::text as a, x.dept_id::text as a_dept, y.user_id::text as b, y.dept_id::text as b_dept
    from dept d join dept e on e.school_id = d.school_id and e.dept_type = 4 and e.enrol_year = d.enrol_year and e.stage = d.stage and e.class_no = d.class_no + 1 and d.class_no % 2 = 1
    join seat x on x.dept_id = d.id join seat y on y.dept_id = e.id and y.sex = x.sex
    where d.school_id = ${school_id} and e.school_id = ${school_id} and d.dept_type = 4 and d.closed_on is null
    order by d.id, x.student_no desc, y.student_no desc`.execute(db)
  return spread(rows, count).map(({ a, a_dept, b, b_dept }) => ({ first: { user_id: a, dept_id: a_dept }, second: { user_id: b, dept_id: b_dept } }))
}
