import { alarmChannel, devicesEvents } from '@campus/devices/contract'
import type { AlarmKind } from '@campus/devices/contract'
import type { AlarmItem, StateUp } from '@kit/terminal-protocol'
import { publish } from '@kit/server/event'
import { push } from '@kit/server/realtime'
import { sql } from 'kysely'
import { tellDevices } from '../device.watch.ts'
import type { Line } from '../link/line.ts'
import { recordOf } from './heard.ts'
import { tellDuty } from './duty.ts'
import type { Hearing, Item } from './heard.ts'

type DoorState = NonNullable<StateUp['door']>
/** What a state of a door means when no event told of it (chapter 30 rule 16). */
const learned = { fire: { told: 'fire', kind: 'recovered_fire' }, tamper: { told: 'tamper', kind: 'recovered_tamper' } } as const
type Row = { event_date: string; device_seq: string; at: string; body_hash: string }

/** Begins an alarm (value 1) or ends what is open of its kind (value 0). */
export async function writeAlarm(line: Line, item: Item, { at, kind, value }: AlarmItem, hearing: Hearing): Promise<void> {
  const { event_date, device_seq, event_time, body_hash } = recordOf(item, at, hearing)
  const when = event_time ?? hearing.now.toISOString()
  if (value === 0) return endAlarms(line, [kind, `recovered_${kind}`], when)
  await beginAlarm(line, kind, { event_date, device_seq, at: when, body_hash })
}

/** What a device says of its door: an alarm that was lost while it was off line is begun after all, one that is over ends. */
export async function followDoor(line: Line, door: DoorState, hearing: Hearing): Promise<void> {
  for (const sense of ['fire', 'tamper'] as const) await followSense(line, sense, door[sense], hearing)
}

/** One thing that a device senses, as it is now. */
export async function followSense(line: Line, sense: keyof typeof learned, is_set: boolean, hearing: Hearing): Promise<void> {
  const { told, kind } = learned[sense]
  if (!is_set) return endAlarms(line, [told, kind], hearing.now.toISOString())
  if (await isOpen(line, [told, kind])) return
  const { device_time: at, event_date, body_hash } = recordOf({ seq: 1, sense }, hearing.now.toISOString(), hearing)
  await beginAlarm(line, kind, { event_date, device_seq: `${hearing.epoch}:${sense}:${hearing.now.getTime()}`, at, body_hash })
}

/** Begins an alarm of a device, once a number; whoever listens is told. */
export async function beginAlarm(line: Line, kind: AlarmKind, { event_date, device_seq, at, body_hash }: Row): Promise<void> {
  const { db, school_id, device_id, now } = line
  const { rows } = await sql<{ place_id: string | null }>`
    insert into alarm_event (school_id, event_date, device_id, device_seq, alarm_kind, at, received_at, body_hash, place_id)
    select ${school_id}::int, ${event_date}::date, ${device_id}::bigint, ${device_seq}, ${kind}, ${at}::timestamptz, ${now}::timestamptz, ${body_hash},
      (select p.place_id from device_place p where p.school_id = ${school_id} and p.device_id = ${device_id} and p.valid @> ${at}::timestamptz)
    on conflict do nothing
    returning place_id::text`.execute(db)
  for (const { place_id } of rows) {
    await publish(line, devicesEvents.alarmRaised, { device_id, alarm_kind: kind, place_id, at })
    await tellDuty(line, 'raised', { device_id, event_date, device_seq, alarm_kind: kind })
  }
  if (rows.length > 0) await tellAlarms(line, [kind], true)
}

/** Ends what is open of these kinds. */
export async function endAlarms(line: Line, kinds: readonly string[], at: string): Promise<void> {
  const { db, school_id, device_id } = line
  const { rows } = await sql<{ alarm_kind: AlarmKind; event_date: string; device_seq: string }>`
    update alarm_event set cleared_at = greatest(at, ${at}::timestamptz)
    where school_id = ${school_id} and device_id = ${device_id} and cleared_at is null and alarm_kind = any(${[...kinds]}::text[])
    returning alarm_kind, event_date, device_seq`.execute(db)
  for (const row of rows) {
    await publish(line, devicesEvents.alarmCleared, { device_id, alarm_kind: row.alarm_kind, at })
    await tellDuty(line, 'closed', { ...row, device_id })
  }
  if (rows.length > 0) await tellAlarms(line, rows.map(row => row.alarm_kind), false)
}

/** Tells open pages that alarms of a device have begun or are over. */
async function tellAlarms({ db, school_id, device_id }: Line, kinds: readonly AlarmKind[], is_open: boolean): Promise<void> {
  await push({ db, school_id }, alarmChannel, kinds.map(alarm_kind => ({ device_id, alarm_kind, is_open })))
  await tellDevices({ db, school_id }, [device_id], 'alarm')
}

/** Whether an alarm of one of these kinds is open. */
export async function isOpen({ db, school_id, device_id }: Line, kinds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`select from alarm_event where school_id = ${school_id} and device_id = ${device_id} and cleared_at is null and alarm_kind = any(${[...kinds]}::text[]) limit 1`.execute(db)
  return rows.length > 0
}
