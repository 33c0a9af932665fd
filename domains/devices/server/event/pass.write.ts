import { devicesEvents } from '@campus/devices/contract'
import type { keepMade } from '@campus/files/server'
import type { PassItem } from '@kit/terminal-protocol'
import { publishEach } from '@kit/server/event'
import { sql } from 'kysely'
import type { Line } from '../link/line.ts'
import { credentialOf, numeric, recordOf } from './heard.ts'
import type { Hearing, Item } from './heard.ts'
import { setAsideTwins } from './twin.write.ts'

/** The key of a record, as others are told of it. */
export type RecordKey = { event_date: string; device_id: string; device_seq: string }

/** A picture that came with a record, for the transaction that stores it. */
export type PassPicture = { file_key: string; enter: Awaited<ReturnType<typeof keepMade>> }

/** Who uses the picture of a record. */
export function pictureUse(device_id: string, device_seq: string) {
  return { ref_kind: 'devices.pass_picture', ref_id: `${device_id}/${device_seq}` }
}

/** The row of a record of a door. */
export function passRow(item: Item, said: PassItem, hearing: Hearing, picture?: PassPicture) {
  const { at, user_id, credential_id, verify, result, reason, direction, code_masked, temp_tenths, score } = said
  return {
    ...recordOf(item, at, hearing), user_id: numeric(user_id), credential_id: credentialOf(credential_id), verify_mode: verify, pass_state: result, reason_raw: reason ?? null, direction: direction ?? null,
    code_masked: code_masked ?? null, temp_tenths: temp_tenths ?? null, score: score ?? null,
    snapshot_key: picture?.file_key ?? null,
  }
}

/** Stores passes, each once; place, direction and kind of person are those of the moment when it happened. @returns the keys of those that are new */
export async function insertPasses(line: Line, rows: readonly ReturnType<typeof passRow>[]): Promise<RecordKey[]> {
  if (rows.length === 0) return []
  const { db, school_id, device_id, now } = line
  const inserted = await sql<RecordKey>`
    insert into pass_event (school_id, event_date, device_id, device_seq, device_time, received_at, event_time, time_state, body_hash, user_id, person_kind, verify_mode, pass_state, reason_raw, direction, place_id, credential_id, code_masked, temp_tenths, score, snapshot_key)
    select ${school_id}::int, e.event_date, ${device_id}::bigint, e.device_seq, e.device_time, ${now}::timestamptz, e.event_time, e.time_state, e.body_hash, e.user_id, s.person_kind, e.verify_mode, e.pass_state, e.reason_raw,
      coalesce(e.direction, case when p.direction <> 3 then p.direction end), p.place_id, e.credential_id, e.code_masked, e.temp_tenths, e.score, e.snapshot_key
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) e(event_date date, device_seq text, device_time timestamptz, event_time timestamptz, time_state smallint, body_hash text, user_id bigint, verify_mode smallint, pass_state smallint, reason_raw text, direction smallint, credential_id bigint, code_masked text, temp_tenths smallint, score real, snapshot_key text)
    left join subject s on s.school_id = ${school_id} and s.user_id = e.user_id
    left join device_place p on p.school_id = ${school_id} and p.device_id = ${device_id} and p.valid @> coalesce(e.event_time, ${now}::timestamptz)
    on conflict do nothing
    returning event_date, device_id::text, device_seq`.execute(db)
  await setAsideTwins(line, 'pass_event', rows, inserted.rows.length)
  await publishEach(line, devicesEvents.passRecorded, inserted.rows)
  return inserted.rows
}
