import { accessEvents } from '@campus/access/contract'
import { calendarEvents } from '@campus/calendar/contract'
import { devicesEvents } from '@campus/devices/contract'
import type { EffectContext, LeaveEffect, LeaveFact } from '@campus/leave/server'
import { examEvents } from '@campus/exams/contract'
import { peopleEvents } from '@campus/people/contract'
import { schoolDay } from '@campus/school/server'
import { teachingEvents } from '@campus/teaching/contract'
import { asTables, insertMany } from '@kit/server/db'
import { consume, consumeMany } from '@kit/server/event'
import { sql } from 'kysely'
import type { AttendanceDb, Step } from './db.ts'
import { isInUse, markDays, markPeople, markUnits } from './recompute/dirty.ts'
import { dayAfter } from './recompute/group.ts'
import { claimSigned } from './recompute/exam-sign.ts'
import { followPasses, ingest } from './recompute/ingest.ts'

type Handle = Omit<Step, 'db'> & { db: EffectContext['db'] }
const stepOf = ({ app, db, school_id, now }: Handle): Step => ({ app, db: asTables<AttendanceDb>(db), school_id, now })
const at_once = 500
const last_day = '9999-12-30'

const { passRecorded, cardRead, drained, offline, online } = devicesEvents
const { personMoved, personDeparted, personSuspended, personRestored } = peopleEvents

const second_ms = 1000

/** What makes a unit be judged again (chapter 55 §3.16). */
export const attendanceConsumers = [
  consumeMany(
    'attendance.passes', { event: passRecorded.name, at_once }, passRecorded.payload,
    async (desk, keys) => void (await ingest(stepOf(desk), 'pass', keys))
  ),
  consumeMany(
    'attendance.cards', { event: cardRead.name, at_once }, cardRead.payload,
    async (desk, keys) => void (await ingest(stepOf(desk), 'card', keys))
  ),
  consume(
    'attendance.gates', accessEvents.passRecorded.name, accessEvents.passRecorded.payload,
    (desk, { from_seq, to_seq }) => followPasses(stepOf(desk), from_seq, to_seq)
  ),
  consume('attendance.drained', drained.name, drained.payload.pick({ device_id: true }), desk => followDrain(stepOf(desk))),
  consume(
    'attendance.offline', offline.name, offline.payload.pick({ device_id: true, at: true }),
    (desk, { device_id, at }) => openOutage(stepOf(desk), device_id, new Date(at))
  ),
  consume(
    'attendance.online', online.name, online.payload, (desk, { device_id, at }) => closeOutage(stepOf(desk), device_id, new Date(at))
  ),
  consume(
    'attendance.timetable', teachingEvents.timetablePublished.name, teachingEvents.timetablePublished.payload.pick({ from: true }),
    (desk, { from }) => markDays(stepOf(desk), from, last_day, 'timetable')
  ),
  consume(
    'attendance.lessons', teachingEvents.dayChanged.name, teachingEvents.dayChanged.payload.pick({ dates: true }),
    (desk, { dates }) => markDates(stepOf(desk), dates, 'timetable')
  ),
  consume(
    'attendance.calendar', calendarEvents.changed.name, calendarEvents.changed.payload.pick({ dates: true }),
    (desk, { dates }) => markDates(stepOf(desk), dates, 'calendar')
  ),
  consume(
    'attendance.calendar_corrected', calendarEvents.dayCorrected.name, calendarEvents.dayCorrected.payload.pick({ dates: true }),
    (desk, { dates }) => markDates(stepOf(desk), dates, 'calendar')
  ),
  consume(
    'attendance.roster', teachingEvents.rosterChanged.name, teachingEvents.rosterChanged.payload.pick({ from: true }),
    (desk, { from }) => markDays(stepOf(desk), from, last_day, 'membership')
  ),
  ...[examEvents.sessionPublished, examEvents.sessionRecalled].map(one => consume(
    `attendance.${one.name}`, one.name, one.payload.pick({ begin_at: true }),
    (desk, { begin_at }) => markDates(stepOf(desk), [schoolDay(new Date(begin_at))], 'exam')
  )),
  consume(
    'attendance.exam_signed', examEvents.presenceSigned.name, examEvents.presenceSigned.payload.pick({ session_id: true }),
    async (desk, { session_id }) => {
      if (await isInUse(stepOf(desk))) await claimSigned(stepOf(desk), session_id)
    }
  ),
  consume(
    'attendance.moved', personMoved.name, personMoved.payload.pick({ people: true, on: true }),
    (desk, { on }) => markDays(stepOf(desk), on, last_day, 'membership')
  ),
  ...[
    personDeparted, personSuspended, personRestored
  ].map(one => consume(
    `attendance.${one.name}`, one.name, personSuspended.payload.pick({ on: true }),
    (desk, { on }) => markDays(stepOf(desk), on, last_day, 'membership')
  )),
]

async function markDates(step: Step, dates: readonly string[], cause: 'timetable' | 'calendar' | 'exam'): Promise<void> {
  for (const date of new Set(dates)) await markDays(step, date, date, cause)
}

/** A device has handed over what it saw: units that waited for it are judged again. */
async function followDrain(step: Step): Promise<void> {
  const { db, school_id } = step
  const units = await db.selectFrom('attend_unit').select(['lesson_date', 'shard']).where('school_id', '=', school_id)
    .where('state', 'in', ['provisional', 'open']).where('lesson_date', '<=', schoolDay(step.now)).execute()
  await markUnits(step, units.map(({ lesson_date, shard }) => ({ date: lesson_date, shard })), 'late_event')
}

/** The line of a device that counts is lost: noted for the sentence, until it is back. */
async function openOutage(step: Step, device_id: string, begin_at: Date): Promise<void> {
  const { db, school_id, now } = step
  if (!(await isInUse(step))) return
  await insertMany(db, 'attend_outage', [{ school_id, device_id, begin_at, basis: 'link', created_at: now }], {})
}

async function closeOutage({ db, school_id, now }: Step, device_id: string, at: Date): Promise<void> {
  const open = await db.selectFrom('attend_outage').select(['outage_id', 'begin_at']).where('school_id', '=', school_id)
    .where('device_id', '=', device_id).where('basis', '=', 'link').where('end_at', 'is', null).execute()
  for (const { outage_id, begin_at } of open) {
    const end_at = new Date(Math.max(at.getTime(), begin_at.getTime() + second_ms))
    await db.updateTable('attend_outage').set({ end_at, closed_at: now }).where('school_id', '=', school_id)
      .where('outage_id', '=', outage_id).execute()
  }
}

/** The lessons a leave lies over are judged again, and those it lay over before (chapter 55 §3.7). */
export const lessonEffect: LeaveEffect = {
  code: 'lesson',
  title: '课程考勤',
  undoable: true,
  async preview(context, fact) {
    const count = (await unitsOf(stepOf(context), fact)).length
    return count === 0 ? null : { text: `重新判定 ${count}天的考勤`, count }
  },
  async converge(context, fact) {
    const step = stepOf(context)
    const dates = await unitsOf(step, fact)
    for (const { date, user_ids } of dates) await markPeople(step, date, user_ids, 'leave', fact.leave_id)
    return dates.length === 0 ? { state: 5, text: '没有需要重新判定的考勤', count: 0 } : {
      state: 2, text: `已重新判定 ${dates.length}天的考勤`, count: dates.length,
    }
  },
}

/** Dates of a leave, and dates of results that a former version of it made, as far as attendance was judged then. */
async function unitsOf({ db, school_id }: Step, { members }: LeaveFact): Promise<{ date: string; user_ids: string[] }[]> {
  const user_ids = members.map(member => member.user_id)
  const excused = await db.selectFrom('attend_result').select(['lesson_date', 'user_id']).distinct().where('school_id', '=', school_id)
    .where('state', 'in', [5, 8]).where(sql<boolean>`user_id = any(${user_ids}::bigint[])`).execute()
  const spanned = members.flatMap(({ user_id, spans }) => spans.flatMap(span => datesOf(span).map(lesson_date => ({ lesson_date, user_id }))))
  const judged = new Set((await db.selectFrom('attend_unit').select('lesson_date').distinct().where('school_id', '=', school_id).execute()).map(row => row.lesson_date))
  const by_date = Map.groupBy([...excused, ...spanned].filter(one => judged.has(one.lesson_date)), one => one.lesson_date)
  return [...by_date].map(([date, own]) => ({ date, user_ids: [...new Set(own.map(one => one.user_id))] }))
    .toSorted((a, b) => (a.date < b.date ? -1 : 1))
}

function datesOf({ begin_at, end_at }: { begin_at: Date; end_at: Date }): string[] {
  const last = schoolDay(new Date(end_at.getTime() - 1))
  const dates: string[] = []
  for (let date = schoolDay(begin_at); date <= last; date = dayAfter(date)) dates.push(date)
  return dates
}
