import { aiChannel, AI_WARN_KIND, devicesEvents } from '@campus/devices/contract'
import { release } from '@campus/files/server'
import { publish, setTimer } from '@kit/server/event'
import { push } from '@kit/server/realtime'
import { sql } from 'kysely'
import { z } from 'zod'
import { tellDutyWarning } from '../event/duty.ts'
import { dayOf } from '../event/timing.ts'
import type { Line } from '../link/line.ts'
import type { CameraFact, RuleFact } from './camera.queries.ts'
import { mergeHit, nameOf, StoredImages } from './merge.ts'
import type { Hit, Image, Incident } from './merge.ts'
import { firstLook, imageUse } from './picture.ts'

/** What makes messages one: the rule, the camera and the person. */
export type Sight = { rule: RuleFact; camera: CameraFact; person_ref: string | null }
/** One message with its number. */
export type Seen = Hit & { device_seq: string; event_date: string }

const Kind = z.enum(AI_WARN_KIND.codes)
/** A warning while messages go into it: its row, the rows that went into it, and the messages that did. */
type Draft = Incident & { warning_id: string | null; event_date: string | null; gone: readonly string[]; had: readonly Image[]; seen: readonly Seen[]; is_changed: boolean }

/** Puts messages into the warnings that they belong to. @returns the names of the pictures of this box that are wanted */
export async function writeWarnings(line: Line, sights: readonly [Sight, Seen][]): Promise<string[]> {
  const wanted: string[] = []
  // In one order, so that two boxes that see the same do not wait for each other.
  const groups = [...Map.groupBy(sights, ([{ rule, camera, person_ref }]) => JSON.stringify([rule.rule_id, camera.camera_device_id, person_ref]))].toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [, group] of groups) {
    const [first] = group
    if (first) wanted.push(...(await writeGroup(line, first[0], group.map(([, seen]) => seen))))
  }
  return wanted
}

async function writeGroup(line: Line, sight: Sight, seen: readonly Seen[]): Promise<string[]> {
  const drafts = seen.reduce<Draft[]>((all, one) => put(all, one, sight.rule.merge_sec * 1000), await readNear(line, sight, seen)).filter(draft => draft.is_changed)
  for (const draft of drafts) await writeDraft(line, sight, draft)
  return drafts.flatMap(draft => draft.images.filter(image => image.box === line.device_id && image.file_key === null).map(image => image.ref))
}

function put(drafts: readonly Draft[], seen: Seen, pause_ms: number): Draft[] {
  const { merged, from } = mergeHit(drafts, seen, pause_ms)
  const kept = from.find(draft => draft.warning_id !== null)
  const draft: Draft = {
    ...merged, warning_id: kept?.warning_id ?? null, event_date: kept?.event_date ?? null, is_changed: true, had: from.flatMap(one => one.had), seen: [...from.flatMap(one => one.seen), seen],
    gone: from.flatMap(one => [...one.gone, ...(one !== kept && one.warning_id !== null ? [one.warning_id] : [])]),
  }
  return [...drafts.filter(one => !from.includes(one)), draft]
}

/** The warnings that these messages may go into, held against everybody else until the transaction ends. */
async function readNear({ db, school_id }: Line, { rule, camera, person_ref }: Sight, seen: readonly Seen[]): Promise<Draft[]> {
  await db.selectFrom('ai_rule').select('rule_id').where('school_id', '=', school_id).where('rule_id', '=', rule.rule_id).forUpdate().execute()
  const times = seen.map(one => one.at)
  const [since, until] = [new Date(Math.min(...times) - rule.merge_sec * 1000), new Date(Math.max(...times) + rule.merge_sec * 1000)]
  const rows = await db
    .selectFrom('ai_warning')
    .select(['warning_id', sql<string>`event_date::text`.as('event_date'), 'begin_at', 'end_at', 'hits', 'images', 'state'])
    .where('school_id', '=', school_id)
    .where('rule_id', '=', rule.rule_id)
    .where('camera_device_id', '=', camera.camera_device_id)
    .where('end_at', '>=', since)
    .where('begin_at', '<=', until)
    .where('merged_into', 'is', null)
    .where(eb => (person_ref === null ? eb('person_ref', 'is', null) : eb('person_ref', '=', person_ref)))
    .forUpdate()
    .execute()
  return rows.map(({ begin_at, end_at, state, images, ...row }): Draft => {
    const had = StoredImages.parse(images)
    return { ...row, begin: begin_at.getTime(), end: end_at.getTime(), images: had, had, is_open: state === 0, gone: [], seen: [], is_changed: false }
  })
}

async function writeDraft(line: Line, sight: Sight, draft: Draft): Promise<void> {
  const { db, school_id, now } = line
  const warning_id = draft.warning_id === null ? await insertWarning(line, sight, draft) : await updateWarning(line, draft, draft.warning_id)
  if (draft.gone.length > 0) {
    const { rows: gone } = await sql<{ warning_id: string; warn_kind: string; state: number }>`update ai_warning set merged_into = ${warning_id}, images = '[]' where school_id = ${school_id} and warning_id = any(${[...draft.gone]}::bigint[]) returning warning_id::text as warning_id, warn_kind, state`.execute(db)
    for (const one of gone) if (one.state === 0) await tellDutyWarning(line, 'closed', one)
    await sql`update ai_hit set warning_id = ${warning_id} where school_id = ${school_id} and warning_id = any(${[...draft.gone]}::bigint[])`.execute(db)
  }
  await sql`
    update ai_hit h set warning_id = ${warning_id} from jsonb_to_recordset(${JSON.stringify(draft.seen)}::jsonb) s(event_date date, device_seq text)
    where h.school_id = ${school_id} and h.device_id = ${line.device_id} and h.event_date = s.event_date and h.device_seq = s.device_seq`.execute(db)
  const kept = new Set(draft.images.map(nameOf))
  for (const image of draft.had.filter(one => one.file_key !== null && !kept.has(nameOf(one)))) await release({ app: line.app, db, school_id, now }, imageUse(image))
  const rows = [{ warning_id, is_new: draft.warning_id === null }]
  for (const place_id of sight.camera.node_path.split('/').filter(Boolean)) await push({ db, school_id }, aiChannel, rows, { of: place_id })
}

async function insertWarning(line: Line, { rule, camera, person_ref }: Sight, { begin, end, hits, images, seen }: Draft): Promise<string> {
  const { app, db, school_id, device_id } = line
  const [begin_at, end_at] = [new Date(begin).toISOString(), new Date(end).toISOString()]
  const { rows: [made] } = await sql<{ warning_id: string; place_id: string }>`
    insert into ai_warning (school_id, event_date, box_device_id, box_seq, camera_device_id, place_id, warn_kind, rule_id, begin_at, end_at, hits, images, person_ref)
    select ${school_id}::int, ${dayOf(new Date(begin))}::date, ${device_id}::bigint, ${seen[0]?.device_seq ?? ''}, ${camera.camera_device_id}::bigint,
      coalesce((select p.place_id from device_place p where p.school_id = ${school_id} and p.device_id = ${camera.camera_device_id} and p.valid @> ${begin_at}::timestamptz), ${camera.place_id}::bigint),
      ${rule.warn_kind}, ${rule.rule_id}::bigint, ${begin_at}::timestamptz, ${end_at}::timestamptz, ${hits}::int, ${JSON.stringify(images)}::jsonb, ${person_ref}
    returning warning_id::text, place_id::text`.execute(db)
  if (!made) throw new Error('a warning was not written')
  await setTimer({ app, db, school_id }, firstLook(made.warning_id, line.now))
  await publish(line, devicesEvents.aiWarningRaised, { warning_id: made.warning_id, warn_kind: Kind.parse(rule.warn_kind), camera_device_id: camera.camera_device_id, place_id: made.place_id, at: begin_at })
  await tellDutyWarning(line, 'raised', { warning_id: made.warning_id, warn_kind: rule.warn_kind })
  return made.warning_id
}

/** The day of a warning is the one on which it begins: a late message may put it back. */
async function updateWarning({ db, school_id }: Line, { begin, end, hits, images, event_date }: Draft, warning_id: string): Promise<string> {
  await sql`
    update ai_warning set event_date = ${dayOf(new Date(begin))}::date, begin_at = ${new Date(begin).toISOString()}::timestamptz, end_at = ${new Date(end).toISOString()}::timestamptz, hits = ${hits}::int, images = ${JSON.stringify(images)}::jsonb
    where school_id = ${school_id} and event_date = ${event_date}::date and warning_id = ${warning_id}`.execute(db)
  return warning_id
}
