import { addDays, calendarEvents } from '@campus/calendar/contract'
import type { CalendarUse } from '@campus/calendar/server'
import { asTables } from '@kit/server/db'
import { consume } from '@kit/server/event'
import type { EventDesk } from '@kit/server/http'
import { sql } from 'kysely'
import { openNeeds } from './cover/needs.ts'
import type { TeachingDb } from './db.ts'
import { sayDayChanged } from './lesson/day-changed.ts'
import { rebuildLessonDays } from './lesson-days.ts'

const published = 1

/** Lessons of dates follow the calendar and its bells (chapter 50 §7); what has begun stays. */
export const calendarConsumers = [
  consume('teaching.calendar_changed', calendarEvents.changed.name, calendarEvents.changed.payload.pick({ dates: true }), (step, { dates }) => follow(step, dates)),
  consume('teaching.bell_changed', calendarEvents.bellChanged.name, calendarEvents.bellChanged.payload.pick({ from: true }), (step, { from }) => follow(step, [from, '9999-12-30'])),
]

async function follow(step: EventDesk, dates: readonly string[]): Promise<void> {
  const { school_id, now } = step
  const db = asTables<TeachingDb>(step.db)
  const [from, last] = [dates.toSorted()[0], dates.toSorted().at(-1)]
  if (from === undefined || last === undefined) return
  const tables = await db.selectFrom('timetable_version').select('timetable_id').distinct().where('school_id', '=', school_id).where('state', '=', published).where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', from)])).execute()
  for (const { timetable_id } of tables) {
    const rev = await rebuildLessonDays(db, { school_id, timetable_id, from, to: addDays(last, 1), now })
    await openNeeds({ db, school_id, now })
    await sayDayChanged(step, { dates: [...dates], class_ids: [], place_ids: [], teacher_ids: [] }, rev)
  }
}

/** What timetables hang upon the calendar: a term with timetables stays, and a change of days says how many lessons it moves (chapter 50, port registerUse). */
export const teachingUse: CalendarUse = {
  async in_use(db, asked) {
    if (!('semester_id' in asked)) return []
    const rows = await asTables<TeachingDb>(db).selectFrom('timetable').select('name').where('school_id', '=', asked.school_id).where('semester_id', '=', asked.semester_id).execute()
    const classes = await asTables<TeachingDb>(db).selectFrom('teaching').select('id').where('school_id', '=', asked.school_id).where('semester_id', '=', asked.semester_id).limit(1).executeTakeFirst()
    return [...(rows.length > 0 ? [`课表 ${rows.length} 份`] : []), ...(classes ? ['教师任课'] : [])]
  },
  async impact(db, { school_id, dates, grades }) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from lesson_day d join teaching_class c on c.school_id = ${school_id} and c.id = d.class_id
      where d.school_id = ${school_id} and d.date = any(${[...dates]}::date[]) and c.grade = any(${[...grades]}::text[])`.execute(asTables<TeachingDb>(db))
    const n = rows[0]?.n ?? 0
    return n === 0 ? [] : [`课表：现有${n}节课随之变化`]
  },
}
