import { isWatching, watchingWeek } from '@kit/terminal-protocol'
import type { WarnItem } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import { recordOf } from '../event/heard.ts'
import type { Hearing, Item } from '../event/heard.ts'
import { setAsideTwins } from '../event/twin.write.ts'
import type { Line } from '../link/line.ts'
import { camerasOf, rulesThrough } from './camera.queries.ts'
import type { CameraFact, RuleFact } from './camera.queries.ts'
import { writeWarnings } from './warning.write.ts'
import type { Seen, Sight } from './warning.write.ts'

/** Why a message makes no warning: a camera that is none of this box, nothing that is asked for just then, a place where nobody is watched (chapter 30 rules 23, 25). */
type Dropped = 'camera' | 'rule' | 'private_zone'
type Judged = { dropped: Dropped; camera: CameraFact | undefined } | { dropped: null; camera: CameraFact; rule: RuleFact }
const unsure = 0

/**
 * Stores what a box has seen, each message once: it goes into the warning that it belongs to, or is counted and forgotten.
 * @returns the names of the pictures that are wanted of this box
 */
export async function storeWarnings(line: Line, said: readonly [Item, WarnItem][], hearing: Hearing): Promise<string[]> {
  if (said.length === 0) return []
  const { db, school_id, device_id } = line
  const cameras = await camerasOf(db, line, said.map(([, warn]) => warn.camera))
  const rules = await rulesThrough(db, school_id, cameras.map(camera => camera.camera_device_id))
  const heard = said.map(([item, warn]) => {
    const record = recordOf(item, warn.at, hearing)
    const at = record.event_time === null ? hearing.now : new Date(record.event_time)
    return { record, warn, judged: judge(warn, cameras, rules.filter(rule => isWatching({ weekly: watchingWeek(rule.windows) }, at))) }
  })
  const stored = await insertHits(line, heard.map(({ record, warn, judged }) => ({
    ...record, camera_device_id: judged.camera?.camera_device_id ?? null, dropped: judged.dropped, image_ref: judged.dropped === null ? (warn.image ?? null) : null,
  })))
  const sights = heard.flatMap(({ record, warn, judged }): [Sight, Seen][] => {
    if (judged.dropped !== null || !stored.has(record.device_seq)) return []
    const at = record.event_time ?? hearing.now.toISOString()
    const image = warn.image === undefined ? null : { box: device_id, ref: warn.image, at, score: warn.score ?? unsure, file_key: null }
    return [[{ rule: judged.rule, camera: judged.camera, person_ref: warn.person_ref ?? null }, { device_seq: record.device_seq, event_date: record.event_date, at: Date.parse(at), image }]]
  })
  return writeWarnings(line, sights)
}

/** What a message is about, of the cameras of its box and the rules that look at its moment: a box that has not heard of a change yet does not decide. */
function judge({ camera: serial, kind, rule_id }: WarnItem, cameras: readonly CameraFact[], rules: readonly RuleFact[]): Judged {
  const camera = cameras.find(one => one.device_sn === serial)
  if (!camera) return { dropped: 'camera', camera }
  if (camera.private_zone) return { dropped: 'private_zone', camera }
  const rule = rules.find(one => one.camera_device_id === camera.camera_device_id && one.warn_kind === kind && (rule_id === undefined || one.rule_id === rule_id))
  return rule ? { dropped: null, camera, rule } : { dropped: 'rule', camera }
}

type HitRow = ReturnType<typeof recordOf> & { camera_device_id: string | null; image_ref: string | null; dropped: Dropped | null }

/** @returns the numbers of those that were not there */
async function insertHits(line: Line, rows: readonly HitRow[]): Promise<ReadonlySet<string>> {
  const { db, school_id, device_id, now } = line
  const inserted = await sql<{ device_seq: string }>`
    insert into ai_hit (school_id, event_date, device_id, device_seq, device_time, received_at, body_hash, camera_device_id, image_ref, dropped)
    select ${school_id}::int, e.event_date, ${device_id}::bigint, e.device_seq, e.device_time, ${now}::timestamptz, e.body_hash, e.camera_device_id, e.image_ref, e.dropped
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) e(event_date date, device_seq text, device_time timestamptz, body_hash text, camera_device_id bigint, image_ref text, dropped text)
    on conflict do nothing
    returning device_seq`.execute(db)
  await setAsideTwins(line, 'ai_hit', rows, inserted.rows.length)
  return new Set(inserted.rows.map(row => row.device_seq))
}
