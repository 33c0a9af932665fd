import { attendanceEvents } from '@campus/attendance/contract'
import { addDays, mondayOf } from '@campus/calendar/contract'
import { record_state, source as sources } from '@campus/evaluation/contract'
import type { auto_names } from '@campus/evaluation/contract'
import { UserId } from '@campus/people/contract'
import { schoolDay } from '@campus/school/server'
import { Day } from '@kit/contract'
import { asTables } from '@kit/server/db'
import { consume, setTimer } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import type { EventDesk } from '@kit/server/http'
import { sql } from 'kysely'
import { z } from 'zod'
import type { EvaluationDb, Work } from './db.ts'
import { enterRecords } from './give.service.ts'
import type { TypeRow } from './give.service.ts'
import { planSettling } from './plan.ts'
import { endRecords, lockRecords } from './revoke.service.ts'
import { reissue } from './settle.service.ts'
import type { Subject } from './subjects.ts'

type Trigger = keyof typeof auto_names
/** Why a star was given for a week, and why it is taken back. */
const reasons: Readonly<Record<Trigger, { given: string; lost: string }>> = {
  attend_week: { given: '全勤', lost: '考勤结果变化，不再符合全勤' },
  homework_week: { given: '作业全部按时提交', lost: '作业变化，不再符合全部按时提交' },
}
const auto_kind = 'evaluation.auto'
/** Before the night's settling of the week, which counts what is given here (chapter 55 §2.8). */
const auto_clock = '01:30'
const follow_ms = 60_000
const [pupil, late, early, absent, unverified] = [1, 2, 3, 4, 10] as const
const was_there = [1, 7, 8] as const

const workOf = ({ app, db, school_id, now }: Omit<EventDesk, 'db'> & { db: Parameters<typeof asTables>[0] }): Work => ({ app,
  db: asTables<EvaluationDb>(db), school_id, now })

function autoTypes({ db, school_id }: Work, trigger: Trigger) {
  return db.selectFrom('star_type').selectAll().where('school_id', '=', school_id).where('auto_trigger', '=', trigger).where('enabled',
    '=', true).orderBy('star_type_id').execute()
}

/** Results of a day have changed: its week is looked at when it is over, or soon where it is over already. Schools without such a star do nothing. */
async function planAuto(work: Work, date: string): Promise<void> {
  const { app, db, school_id, now } = work
  if ((await autoTypes(work, 'attend_week')).length === 0) return
  const monday = mondayOf(date)
  const night = new Date(`${addDays(monday, 7)}T${auto_clock}:00+08:00`)
  const due_at = night > now ? night : new Date(now.getTime() + follow_ms)
  await setTimer({ app, db, school_id }, { kind: auto_kind, ref: monday, due_at })
  await planSettling(work, date)
}

/** Pupils of today who were at everything of a week, as far as every device has handed over (rule 45: from settled results only). */
async function readWhole({ db, school_id }: Work, monday: string): Promise<Subject[]> {
  const { rows } = await sql<Subject>`
    select s.user_id::text as subject_id, s.user_name as name, s.dept_id::text as dept_id from live_student s
    join (
      select r.user_id from attend_result_v r
      where r.school_id = ${school_id} and r.person_kind = ${pupil} and r.lesson_date >= ${monday}::date
        and r.lesson_date <= ${addDays(monday, 6)}::date
      group by r.user_id
      having count(*) filter (where r.state in (${late}, ${early}, ${absent}, ${unverified}) or r.provisional) = 0
        and count(*) filter (where r.state = any(${[...was_there]}::int[])) > 0) w on w.user_id = s.user_id
    where s.school_id = ${school_id} order by s.user_id`.execute(db)
  return rows
}

type Awarded = { given: number; revoked: number }

/** The stars of a week of attendance that is over. */
export async function awardWeek(work: Work, monday: string): Promise<Awarded> {
  return award(work, 'attend_week', monday, () => readWhole(work, monday))
}

/** The stars of a week of homework that is over; `user_ids`: pupils who handed everything in in time, as publishing has found out. */
async function awardHomework(work: Work, monday: string, user_ids: readonly string[]): Promise<Awarded> {
  return award(work, 'homework_week', monday, () => readPupils(work, user_ids))
}

/**
 * Gives the stars of a week that is over, and follows when its facts have changed since: a pupil who no longer deserves it loses it, one who
 * does now gets it, both with the cause; what a person has revoked stays so (chapter 55 rule 45). The same facts give nothing twice.
 */
async function award(work: Work, trigger: Trigger, monday: string, read: () => Promise<Subject[]>): Promise<Awarded> {
  const sunday = addDays(monday, 6)
  if (sunday >= schoolDay(work.now)) return { given: 0, revoked: 0 }
  const types = await autoTypes(work, trigger)
  if (types.length === 0) return { given: 0, revoked: 0 }
  const whole = await read()
  const done = { given: 0, revoked: 0 }
  for (const type of types) {
    const { given, revoked } = await awardType(work, type, monday, whole, reasons[trigger])
    done.given += given
    done.revoked += revoked
  }
  if (done.given > 0) await reissue(work, [sunday])
  return done
}

/** Those of some people who are pupils today. */
async function readPupils({ db, school_id }: Work, user_ids: readonly string[]): Promise<Subject[]> {
  const { rows } = await sql<Subject>`
    select s.user_id::text as subject_id, s.user_name as name, s.dept_id::text as dept_id from live_student s
    where s.school_id = ${school_id} and s.user_id = any(${[...user_ids]}::bigint[]) order by s.user_id`.execute(db)
  return rows
}

async function awardType(work: Work, type: TypeRow, monday: string, whole: readonly Subject[],
  { given, lost: why }: { given: string; lost: string }): Promise<Awarded> {
  const { db, school_id } = work
  const batch = `auto-${type.star_type_id}-${monday}`
  const sunday = addDays(monday, 6)
  const { rows: before } = await sql<{ record_id: string; subject_id: string; state: number; by_hand: boolean }>`
    select record_id::text as record_id, subject_id::text as subject_id, state::int as state, decided_by is not null as by_hand
      from star_record
    where school_id = ${school_id} and record_date = ${sunday}::date and source = ${sources.rule}
      and (batch_no = ${batch} or batch_no like ${`${batch}-%`}) order by record_id`.execute(db)
  const deserving = new Set(whole.map(one => one.subject_id))
  const live = before.filter(one => one.state === record_state.counts)
  const lost = live.filter(one => !deserving.has(one.subject_id)).map(one => one.record_id)
  const records = await lockRecords(work, sql`r.record_id = any(${lost}::bigint[])`)
  if (records.length > 0) await endRecords(work, records, { state: record_state.revoked, decided_by: null, decide_reason: why })
  const closed = new Set(before.filter(one => one.state !== record_state.revoked || one.by_hand).map(one => one.subject_id))
  const fresh = whole.filter(one => !closed.has(one.subject_id))
  for (const [times, subjects] of Map.groupBy(fresh, one => before.filter(each => each.subject_id === one.subject_id).length)) {
    await enterRecords(work, type, subjects, {
      times: 1, reason: `${monday} 至 ${sunday} ${given}`, file_keys: [], batch_no: times === 0 ? batch : `${batch}-${times}`, as_role: 0,
        given_by: null, source: sources.rule, day: sunday, waiting: false,
    })
  }
  return { given: fresh.length, revoked: records.length }
}

export const autoConsumers = [
  consume('evaluation.attend_settled', attendanceEvents.unitSettled.name, attendanceEvents.unitSettled.payload, (step, { date }) =>
    planAuto(workOf(step), date)),
  consume(
    'evaluation.attend_changed', attendanceEvents.resultChanged.name, attendanceEvents.resultChanged.payload.pick({ date: true }),
    (step, { date }) => planAuto(workOf(step), date)
  ),
  // Publishing reads evaluation and not the other way round: the event brings the facts (90 §1, 60 §7).
  consume('evaluation.homework_week', 'publishing.homework.week_over', z.object({ monday: Day, user_ids: z.array(UserId) }),
    async (step, { monday, user_ids }) => void (await awardHomework(workOf(step), monday, user_ids))),
]

/** In the night after a week, and when its results have changed later. */
export const autoTimer: TimerKind = {
  kind: auto_kind,
  async run(handle, { app, school_id, ref, now }) {
    await awardWeek({ app, db: asTables<EvaluationDb>(handle), school_id, now }, ref)
  },
}
