import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { addDays, HOLIDAY_KIND } from '@campus/calendar/contract'
import { commonErrors, fail } from '@kit/contract'
import type { FileReply, Pre } from '@kit/server/http'
import type { CalendarCtx, CalendarDb, Db } from '../db.ts'
import { readSemesters } from '../semester/semester.queries.ts'
import { readSpecials } from './special.queries.ts'
import { icsText } from './ics.ts'
import type { IcsEvent } from './ics.ts'

const token_bytes = 24
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** A new address of the subscribed calendar; the former one answers no more. */
export async function makeFeed({ db, school_id, now }: CalendarCtx): Promise<{ path: string }> {
  const token = `${school_id}-${randomBytes(token_bytes).toString('base64url')}`
  const row = { token_hash: hashOf(token), created_at: now }
  await db.insertInto('calendar_feed').values({ school_id, ...row }).onConflict(on => on.column('school_id').doUpdateSet(row)).execute()
  return { path: `/api/v2/school_calendar/ics?token=${token}` }
}

/** Terms and what is set upon days as a calendar to subscribe; whoever holds the address reads it, and nothing else. @throws Refusal 404 */
export async function readFeed(pre: Pre, token: string): Promise<FileReply> {
  const school_id = Number(/^(\d{1,9})-/.exec(token)?.[1] ?? 0)
  const text = await pre.own<CalendarDb, string>(school_id, async db => {
    const feed = await db.selectFrom('calendar_feed').select('token_hash').where('school_id', '=', school_id).executeTakeFirst()
    if (!feed || !timingSafeEqual(Buffer.from(feed.token_hash), Buffer.from(hashOf(token)))) throw fail(commonErrors.notFound)
    return icsText(await eventsOf(db, school_id), pre.now)
  })
  return { file_name: 'school-calendar.ics', mime: 'text/calendar; charset=utf-8', body: Buffer.from(text) }
}

async function eventsOf(db: Db, school_id: number): Promise<IcsEvent[]> {
  const terms = await readSemesters(db, { school_id })
  const specials = await readSpecials(db, school_id, { from: '0001-01-01', to: '9999-12-31' })
  const whole = specials.filter(({ scope_kind }) => scope_kind === 'school')
  return [
    ...terms.flatMap(({ id, name, begin_date, end_date }) => [
      { uid: `term-${id}-begin`, title: `${name}开学`, from: begin_date, to: addDays(begin_date, 1) },
      { uid: `term-${id}-end`, title: `${name}结束`, from: end_date, to: addDays(end_date, 1) },
    ]),
    ...whole.map(({ id, name, kind, begin_date, end_date }) => ({ uid: `day-${id}`, title: `${name}（${kindName(kind)}）`, from: begin_date, to: addDays(end_date, 1) })),
  ]
}

function kindName(kind: number): string {
  return Object.entries(HOLIDAY_KIND.names).find(([code]) => code === String(kind))?.[1] ?? ''
}
