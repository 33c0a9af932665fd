import { createHash, randomBytes } from 'node:crypto'
import { addDays } from '@campus/calendar/contract'
import type { DayLesson, lessonApi, View } from '@campus/teaching/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import type { FileReply, Pre } from '@kit/server/http'
import { sql } from 'kysely'
import type { TeachingCtx, TeachingDb } from '../db.ts'
import { nameOfTarget } from '../timetable/look.service.ts'
import { readDayLessons } from './lesson.service.ts'

const token_bytes = 24
/** Days before and after today that a subscribed timetable shows. */
const [days_back, days_ahead] = [14, 120] as const
const longest_line = 70
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** A new address of the subscribed timetable of a class, a teacher or a place; the former one answers no more. @throws Refusal 404 */
export async function makeFeed(ctx: TeachingCtx, { view, target_id }: Input<typeof lessonApi.feed>): Promise<{ path: string }> {
  const { db, school_id, now } = ctx
  const name = await nameOfTarget(db, school_id, view, target_id)
  const token = `${school_id}-${randomBytes(token_bytes).toString('base64url')}`
  const row = { token_hash: hashOf(token), created_at: now }
  await db.insertInto('timetable_feed').values({ school_id, view, target_id, ...row }).onConflict(on => on.columns(['school_id', 'view', 'target_id']).doUpdateSet(row)).execute()
  ctx.note({ target_kind: 'teaching.lesson', target_id, target_name: `课表订阅 ${name}` })
  return { path: `/api/v2/lesson_day/ics?token=${token}` }
}

/** The lessons of four months as a calendar; who holds the address reads them, and nothing else. @throws Refusal 404 */
export async function readFeed(pre: Pre, token: string): Promise<FileReply> {
  const school_id = Number(/^(\d{1,9})-/u.exec(token)?.[1] ?? 0)
  const text = await pre.own<TeachingDb, string>(school_id, async db => {
    const feed = await db.selectFrom('timetable_feed').select(['view', 'target_id']).where('school_id', '=', school_id).where('token_hash', '=', hashOf(token)).executeTakeFirst()
    const view = (['class', 'teacher', 'place'] as const).find((one): one is View => one === feed?.view)
    if (!feed || view === undefined) throw fail(commonErrors.notFound)
    const today = schoolDay(pre.now)
    const whose = view === 'class' ? sql`d.class_id = ${feed.target_id}` : view === 'teacher' ? sql`${feed.target_id}::bigint = any(d.teacher_ids)` : sql`d.place_id = ${feed.target_id}`
    const lessons = await readDayLessons(db, school_id, sql`d.date between ${addDays(today, -days_back)}::date and ${addDays(today, days_ahead)}::date and d.state not in (4, 5) and ${whose}`)
    return lessonsIcs(await nameOfTarget(db, school_id, view, feed.target_id), view, lessons, pre.now)
  })
  return { file_name: 'timetable.ics', mime: 'text/calendar; charset=utf-8', body: Buffer.from(text) }
}

/** Lessons as an iCalendar text (RFC 5545), lines folded by bytes. */
function lessonsIcs(name: string, view: View, lessons: readonly DayLesson[], now: Date): string {
  const stamp = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d+/gu, '')
  const events = lessons.flatMap(one => [
    'BEGIN:VEVENT', `UID:lesson-${one.lesson_day_id}@campus`, `DTSTAMP:${stamp(now)}`, `DTSTART:${stamp(new Date(one.begin_at))}`, `DTEND:${stamp(new Date(one.end_at))}`,
    `SUMMARY:${escaped(view === 'class' ? one.course_name : `${one.course_name} ${one.class_name}`)}`, ...(one.place_name === null ? [] : [`LOCATION:${escaped(one.place_name)}`]),
    ...(one.teachers.length === 0 ? [] : [`DESCRIPTION:${escaped(one.teachers.map(teacher => teacher.user_name).join('、'))}`]), 'END:VEVENT',
  ])
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//smart-campus//timetable//CN', `X-WR-CALNAME:${escaped(name)}课表`, ...events, 'END:VCALENDAR'].map(folded).join('\r\n').concat('\r\n')
}

function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/gu, sign => `\\${sign}`).replaceAll('\n', String.raw`\n`)
}

function folded(line: string): string {
  const parts: string[] = []
  let part = ''
  for (const sign of line) {
    if (Buffer.byteLength(part + sign) > longest_line) {
      parts.push(part)
      part = ''
    }
    part += sign
  }
  return [...parts, part].join('\r\n ')
}
