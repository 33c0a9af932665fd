import { PassItem, rowHash } from '@kit/terminal-protocol'
import type { EventUp } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { Line } from './link/link.write.ts'

const [right_ms, day_ms, longest_back_ms] = [60_000, 86_400_000, 400 * 86_400_000]
const school_zone_ms = 8 * 3_600_000
type Item = EventUp['items'][number]
type Timing = { event_time: Date | null; time_state: 0 | 1 | 2 }

/**
 * Stores what happened at a device, each record once however often it comes; what cannot be understood goes among the dead letters and is acknowledged
 * all the same, so that nothing behind it waits (chapter 30 rule 14).
 */
export async function storeEvents(line: Line, { epoch, items, skew_ms }: { epoch: string; items: readonly Item[]; skew_ms: number }): Promise<void> {
  const read = items.map(item => ({ item, pass: passOf(item) }))
  const rows = read.flatMap(({ item, pass }) => (pass ? [rowOf(pass, { epoch, now: line.now, skew_ms, body_hash: rowHash(item) })] : []))
  if (rows.length > 0) await insertPasses(line, rows)
  for (const { item } of read.filter(({ pass }) => !pass)) await writeDeadLetter(line, { topic: 'up/event', reason: item.type === 'pass' ? 'body' : 'unsupported', detail: `seq ${item.seq} ${typeof item.type === 'string' ? item.type : ''}` })
}

/** A record of a door that can be stored; anything else is kept among the dead letters. */
function passOf(item: Item): PassItem | undefined {
  return item.type === 'pass' && isStorable(item) ? PassItem.safeParse(item).data : undefined
}

/** A text that a database cannot hold. */
function isStorable(item: Item): boolean {
  return !JSON.stringify(item).includes('\\u0000')
}

type Row = ReturnType<typeof rowOf>

function rowOf({ seq, at, user_id, credential_id, verify, result, reason, direction, code_masked, temp_tenths, score }: PassItem, { epoch, now, skew_ms, body_hash }: { epoch: string; now: Date; skew_ms: number; body_hash: string }) {
  const device_time = new Date(at)
  const { event_time, time_state } = timeOf(device_time, now, skew_ms)
  return {
    event_date: dayOf(device_time), device_seq: `${epoch}:${seq}`, device_time: device_time.toISOString(), event_time: event_time?.toISOString() ?? null, time_state, body_hash, user_id: numeric(user_id), credential_id: numeric(credential_id?.replace(/^[cf]/u, '')),
    verify_mode: verify, pass_state: result, reason_raw: reason ?? null, direction: direction ?? null, code_masked: code_masked ?? null, temp_tenths: temp_tenths ?? null, score: score ?? null,
  }
}

/** When it happened: by the device's clock, by that clock put right, or not known (chapter 30 rule 15). */
function timeOf(device_time: Date, now: Date, skew_ms: number): Timing {
  const ahead = device_time.getTime() - now.getTime()
  if (Math.abs(skew_ms) > day_ms || ahead > day_ms || ahead < -longest_back_ms) return { event_time: null, time_state: 2 }
  return Math.abs(skew_ms) <= right_ms ? { event_time: device_time, time_state: 0 } : { event_time: new Date(device_time.getTime() + skew_ms), time_state: 1 }
}

/** The day by the device's own clock in the school's zone. */
function dayOf(at: Date): string {
  return new Date(at.getTime() + school_zone_ms).toISOString().slice(0, 10)
}

function numeric(text: string | undefined): string | null {
  return text !== undefined && /^[0-9]{1,18}$/u.test(text) ? text : null
}

/** Place, direction and kind of person are those of the moment when it happened. */
async function insertPasses({ db, school_id, device_id, now }: Line, rows: readonly Row[]): Promise<void> {
  await sql`
    insert into pass_event (school_id, event_date, device_id, device_seq, device_time, received_at, event_time, time_state, body_hash, user_id, person_kind, verify_mode, pass_state, reason_raw, direction, place_id, credential_id, code_masked, temp_tenths, score)
    select ${school_id}::int, e.event_date, ${device_id}::bigint, e.device_seq, e.device_time, ${now}::timestamptz, e.event_time, e.time_state, e.body_hash, e.user_id, s.person_kind, e.verify_mode, e.pass_state, e.reason_raw,
      coalesce(e.direction, case when p.direction <> 3 then p.direction end), p.place_id, e.credential_id, e.code_masked, e.temp_tenths, e.score
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) e(event_date date, device_seq text, device_time timestamptz, event_time timestamptz, time_state smallint, body_hash text, user_id bigint, verify_mode smallint, pass_state smallint, reason_raw text, direction smallint, credential_id bigint, code_masked text, temp_tenths smallint, score real)
    left join subject s on s.school_id = ${school_id} and s.user_id = e.user_id
    left join device_place p on p.school_id = ${school_id} and p.device_id = ${device_id} and p.valid @> coalesce(e.event_time, ${now}::timestamptz)
    on conflict do nothing`.execute(db)
}

/** Keeps count of what was not understood. */
export async function writeDeadLetter({ db, school_id, device_id, now }: Line, { topic, reason, detail }: { topic: string; reason: string; detail: string }): Promise<void> {
  await db.insertInto('dead_letter').values({ school_id, device_id, at: now, topic: topic.slice(0, 200), reason, detail: detail.replaceAll('\u0000', '').slice(0, 200) }).execute()
}
