import { alertTemplates } from '@campus/messages/contract'
import { sql } from 'kysely'
import { oneOf } from './active-staff.ts'
import type { Active } from './active-staff.ts'
import { randomOf } from './audit-plan.ts'
import { addDays, startOfDay } from './school-year.ts'
import type { Work } from './school-work.ts'
import { demo_seed } from './seed.ts'

/** A message of the demo; `outside` is the channel beside the inbox. */
type Planned = { at: Date; user_id: string; code: string; title: string; body: string; link: string | null; level: number; is_read: boolean; outside: number; state: 'logged' | 'failed' | 'deferred'; not_before: Date | null }

const days = 30
const a_day = 10
const deferred_count = 12
const failed_every = 50
const hour_ms = 3_600_000
const unread_days = 2
const { accountLocked, passwordChanged, memberEnding } = alertTemplates
const kinds = [
  { template: passwordChanged, values: { who: '本人', at: '' }, link: null, level: 2 },
  { template: accountLocked, values: { until: '' }, link: null, level: 2 },
  { template: memberEnding, values: { role: '值周教师', day: '' }, link: null, level: 2 },
] as const

/** Thirty days of messages over every channel: all recorded by the log alone, two of a hundred failed, the last evening's wait for the end of the quiet hours. */
export async function fillMessages({ db, school_id, today }: Work, staff: readonly Active[]): Promise<void> {
  const random = randomOf(`${demo_seed}:messages`)
  const readers = [...staff.filter(person => person.is_account), ...staff.slice(0, 60)]
  const planned = [...planDays(random, today, readers), ...planEvening(random, today, readers)].toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const rows = planned.map((one, at) => ({ ...one, at: one.at.toISOString(), not_before: one.not_before?.toISOString() ?? null, source_ref: `demo/${at}`, month: monthOf(one.at) }))
  const json = JSON.stringify(rows)
  const columns = sql`at timestamptz, user_id bigint, code text, title text, body text, link text, level smallint, is_read boolean, outside smallint, state text, not_before timestamptz, source_ref text, month date`
  await sql`
    insert into message (school_id, month, at, source, source_ref, template_code, title, body, link, level)
    select ${school_id}, x.month, x.at, 'identity', x.source_ref, x.code, x.title, x.body, x.link, x.level from jsonb_to_recordset(${json}::jsonb) as x(${columns}) order by x.at returning 1`.execute(db)
  const known = sql`from jsonb_to_recordset(${json}::jsonb) as x(${columns}) join message m on m.school_id = ${school_id} and m.source = 'identity' and m.source_ref = x.source_ref and m.month = x.month`
  await sql`
    insert into message_person (school_id, user_id, message_id, month, read_at)
    select ${school_id}, x.user_id, m.message_id, x.month, case when x.is_read then x.at + interval '20 minutes' end ${known} returning 1`.execute(db)
  await sql`
    insert into message_delivery (school_id, message_id, month, channel, to_key, state, sent_at, at)
    select ${school_id}, m.message_id, x.month, 1, x.user_id::text, 'delivered', x.at, x.at ${known} returning 1`.execute(db)
  await sql`
    insert into message_delivery (school_id, message_id, month, channel, to_key, state, reason, attempts, not_before, sent_at, at)
    select ${school_id}, m.message_id, x.month, x.outside, x.user_id::text, x.state, case when x.state = 'failed' then 4 end, case x.state when 'failed' then 3 when 'logged' then 1 else 0 end,
      x.not_before, case when x.state = 'logged' then x.at end, x.at ${known} returning 1`.execute(db)
}

function planDays(random: () => number, today: string, readers: readonly Active[]): Planned[] {
  return Array.from({ length: days * a_day }, (_, at): Planned => {
    const ago = days - Math.floor(at / a_day)
    const day = startOfDay(addDays(today, -ago))
    const when = new Date(day.getTime() + 7 * hour_ms + Math.floor(random() * 12 * hour_ms))
    const state = at % failed_every === failed_every - 1 ? 'failed' : 'logged'
    return { ...lineOf(random, when, readers, at), is_read: ago > unread_days || random() < 0.5, state, not_before: null }
  })
}

/** Between ten at night and midnight before the demo day. */
function planEvening(random: () => number, today: string, readers: readonly Active[]): Planned[] {
  const evening = startOfDay(today).getTime() - 2 * hour_ms
  const not_before = new Date(startOfDay(today).getTime() + 31 * hour_ms)
  return Array.from({ length: deferred_count }, (_, at): Planned => {
    const when = new Date(evening + Math.floor(random() * 2 * hour_ms))
    return { ...lineOf(random, when, readers, at), is_read: false, state: 'deferred', not_before }
  })
}

function lineOf(random: () => number, at: Date, readers: readonly Active[], serial: number): Pick<Planned, 'at' | 'user_id' | 'code' | 'title' | 'body' | 'link' | 'level' | 'outside'> {
  const { template, values, link, level } = oneOf(kinds, Math.floor(random() * kinds.length))
  const minute = new Date(at.getTime() + 8 * hour_ms).toISOString().slice(0, 16).replace('T', ' ')
  const told: Readonly<Record<string, string>> = { ...values, at: minute, until: minute, day: minute.slice(0, 10) }
  const fill = (words: string) => words.replace(/\{(\w+)\}/g, (_whole, name: string) => told[name] ?? '')
  return { at, user_id: oneOf(readers, Math.floor(random() * readers.length)).user_id, code: template.code, title: fill(template.title), body: fill(template.body), link, level, outside: 2 + (serial % 4) }
}

/** The first day of the month in the school. */
function monthOf(at: Date): string {
  return `${new Date(at.getTime() + 8 * hour_ms).toISOString().slice(0, 7)}-01`
}
