import { devicesEvents } from '@campus/devices/contract'
import type { CardItem } from '@kit/terminal-protocol'
import { publishEach } from '@kit/server/event'
import { sql } from 'kysely'
import type { Line } from '../link/line.ts'
import { digestOf } from '../sync/declare.ts'
import { credentialOf, numeric, recordOf } from './heard.ts'
import type { Hearing, Item } from './heard.ts'
import type { RecordKey } from './pass.write.ts'
import { setAsideTwins } from './twin.write.ts'

/** Signs of a card's number that are shown. */
const shown_signs = 4

/** The row of a card held to a reader. Its number is looked up by its digest and kept by its last signs alone. */
export function cardRow(line: Line, item: Item, { at, user_id, credential_id, code, code_masked, direction, temp_tenths, symptoms }: CardItem, hearing: Hearing) {
  const { body_hash: _said, ...record } = recordOf(item, at, hearing)
  const masked = code === undefined ? code_masked : `****${code.slice(-shown_signs)}`
  const known = { user_id: numeric(user_id), credential_id: credentialOf(credential_id), code_masked: masked ?? null, direction: direction ?? null, temp_tenths: temp_tenths ?? null, symptoms: symptoms ?? null }
  return { ...record, body_hash: recordOf({ ...item, code: masked }, at, hearing).body_hash, ...known, code_digest: code === undefined ? null : digestOf(line.app, line.school_id, 'card', code) }
}

/** Stores cards that were read, each once; whose card it is is known by its number where the device does not say it. @returns the keys of those that are new */
export async function insertCards(line: Line, rows: readonly ReturnType<typeof cardRow>[]): Promise<RecordKey[]> {
  if (rows.length === 0) return []
  const { db, school_id, device_id, now } = line
  const inserted = await sql<RecordKey>`
    insert into card_read_event (school_id, event_date, device_id, device_seq, device_time, received_at, event_time, time_state, body_hash, user_id, person_kind, direction, place_id, credential_id, code_masked, temp_tenths, symptoms)
    select ${school_id}::int, e.event_date, ${device_id}::bigint, e.device_seq, e.device_time, ${now}::timestamptz, e.event_time, e.time_state, e.body_hash, coalesce(c.user_id, e.user_id), s.person_kind, e.direction, p.place_id, coalesce(c.credential_id, e.credential_id), e.code_masked, e.temp_tenths, e.symptoms
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) e(event_date date, device_seq text, device_time timestamptz, event_time timestamptz, time_state smallint, body_hash text, user_id bigint, direction smallint, credential_id bigint, code_masked text, code_digest text, temp_tenths smallint, symptoms text)
    left join subject_credential c on c.school_id = ${school_id} and c.cred_kind = 'card' and c.usable and c.code_digest = e.code_digest
    left join subject s on s.school_id = ${school_id} and s.user_id = coalesce(c.user_id, e.user_id)
    left join device_place p on p.school_id = ${school_id} and p.device_id = ${device_id} and p.valid @> coalesce(e.event_time, ${now}::timestamptz)
    on conflict do nothing
    returning event_date, device_id::text, device_seq`.execute(db)
  await setAsideTwins(line, 'card_read_event', rows, inserted.rows.length)
  await publishEach(line, devicesEvents.cardRead, inserted.rows)
  return inserted.rows
}
