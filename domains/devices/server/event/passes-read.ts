import { setting_defaults } from '@campus/devices/contract'
import { asTables, monthOf } from '@kit/server/db'
import type { Database } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { Db, DevicesDb } from '../db.ts'
import { readSetting } from '../setting/setting.queries.ts'

const [day_ms, longest_days] = [86_400_000, 4000] as const

/**
 * Whoever keeps passes elsewhere (access) has read every one that was received until then, in his own transaction; an earlier moment than told
 * before changes nothing. From the first call on a month of passes is dropped only when it has been read (chapter 30 rule 31).
 * @param upto received_at of the highest record that was read
 */
export async function passesRead({ db: handle, school_id }: { db: QueryExecutorProvider; school_id: number }, upto: Date): Promise<void> {
  const row = { school_id, passes_read_until: upto }
  await asTables<DevicesDb>(handle).insertInto('device_setting').values(row)
    .onConflict(conflict => conflict.column('school_id').doUpdateSet({ passes_read_until: sql<Date>`greatest(device_setting.passes_read_until, excluded.passes_read_until)` }))
    .execute()
}

/** The first month of passes that is still kept, `YYYY-MM`: months are the installation's, so that the school with most to keep decides. */
export async function firstPassMonth(database: Database, now: Date): Promise<string> {
  const schools = await database.tenant<DevicesDb, { school_id: number }[]>(0, db => db.selectFrom('school_state_v').select('school_id').execute())
  const firsts: string[] = []
  for (const { school_id } of schools) firsts.push(await database.tenant<DevicesDb, string>(school_id, db => firstOfSchool(db, school_id, now)))
  return firsts.toSorted()[0] ?? firstKept(now, setting_defaults.pass_keep_days)
}

async function firstOfSchool(db: Db, school_id: number, now: Date): Promise<string> {
  const set = await db.selectFrom('device_setting').select('passes_read_until').where('school_id', '=', school_id).executeTakeFirst()
  const first = firstKept(now, (await readSetting(db, school_id)).pass_keep_days)
  if (!set?.passes_read_until) return first
  const unread = await db.selectFrom('pass_event').select(sql<string>`to_char(event_date, 'YYYY-MM')`.as('month')).where('school_id', '=', school_id).where('event_date', '<', `${first}-01`).where('received_at', '>', set.passes_read_until).orderBy('event_date').limit(1).executeTakeFirst()
  return unread?.month ?? first
}

/** The first and the last month in which a school has passes before a month; null: it has none. Days of clocks that nobody can believe are no months. */
export async function keptSpan({ db, school_id, now }: { db: Db; school_id: number; now: Date }, before: string): Promise<{ from: string; to: string } | null> {
  const { rows } = await sql<{ from: string | null; to: string | null }>`
    select to_char(min(event_date), 'YYYY-MM') as from, to_char(max(event_date), 'YYYY-MM') as to from pass_event
    where school_id = ${school_id} and event_date >= ${new Date(now.getTime() - longest_days * day_ms).toISOString().slice(0, 10)}::date and event_date < ${`${before}-01`}::date`.execute(db)
  const [{ from, to } = { from: null, to: null }] = rows
  return from === null || to === null ? null : { from, to }
}

/** The first month that is kept for so many days, `YYYY-MM`. Whole months go: one stays while its last day is young enough. */
export function firstKept(now: Date, days: number): string {
  return monthOf(new Date(now.getTime() - days * day_ms))
}
