import { sql } from 'kysely'
import type { Line } from '../link/line.ts'
import { writeDeadLetter } from './dead-letter.write.ts'

type Told = { event_date: string; device_seq: string; body_hash: string; device_time?: string; at?: string }
/** The column of when the device says it was. */
const times = { pass_event: 'device_time', card_read_event: 'device_time', position_event: 'at', ai_hit: 'device_time' } as const

/**
 * Sets aside records that came under the number of another one, as of a device whose counter was put back: what stands there already stays, and nobody
 * takes the new one for a repetition (chapter 30 rule 14). Of hardware whose refusals we put into our own words the words may change, so the time has to differ too. `stored`: how many of the rows were new.
 */
export async function setAsideTwins(line: Line, table: keyof typeof times, rows: readonly Told[], stored: number): Promise<void> {
  if (stored === rows.length) return
  const { db, school_id, device_id } = line
  const told = JSON.stringify(rows.map(({ event_date, device_seq, body_hash, device_time, at }) => ({ event_date, device_seq, body_hash, time: device_time ?? at })))
  const { rows: twins } = await sql<{ device_seq: string }>`
    select r.device_seq from jsonb_to_recordset(${told}::jsonb) r(event_date date, device_seq text, body_hash text, time timestamptz)
    join ${sql.table(table)} t on t.school_id = ${school_id} and t.device_id = ${device_id} and t.event_date = r.event_date and t.device_seq = r.device_seq and t.body_hash <> r.body_hash and t.${sql.ref(times[table])} <> r.time`.execute(db)
  for (const { device_seq } of twins) await writeDeadLetter(line, { topic: 'up/event', reason: 'twin', detail: `seq ${device_seq}` })
}
