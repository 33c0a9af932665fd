import { z } from 'zod'
import { row_kinds, RowResult } from './row.ts'

const Count = z.number().int().min(0)
const Counts = z.object({ persons: Count, cards: Count, faces: Count, permissions: Count, records_waiting: Count })
const Short = z.string().max(64)
const Door = z.object({ open: z.boolean(), fire: z.boolean(), tamper: z.boolean() })
/** What a box may recognise, in codes of AI_WARN_KIND. */
const Algorithms = z.array(z.string().max(4)).max(64)
const Child = z.object({ sn: Short, state: z.enum(['online', 'offline', 'fault']) })

/** First message of a session: who it is and what it holds (chapter 31 §3). A new `store_id` says that it lost everything. */
export const HelloUp = z.object({
  sn: Short, model: Short, app_version: z.string().max(40).optional(), firmware: z.string().max(40).optional(), boot_at: z.iso.datetime({ offset: true }).optional(), store_id: Short,
  last_down_seq: Count.default(0), counts: Counts.optional(), free_mb: Count.optional(), tz: Short.optional(), children: z.array(Child).max(500).optional(), algorithms: Algorithms.optional(),
})
export type HelloUp = z.output<typeof HelloUp>

/** How a board is: megabytes, milliseconds, percent. */
export const BoardState = z.object({
  plan_hash: Short.optional(), now_content_id: Short.optional(), now_since: z.string().max(40).optional(), storage_free: Count.max(2_147_483_647).optional(), storage_total: Count.max(2_147_483_647).optional(), player_ver: z.string().max(40).optional(),
  secure_context: z.boolean().optional(), skew_ms: z.number().int().optional(), inventory_hash: Short.optional(), orientation: z.enum(['portrait', 'landscape']).optional(), resolution: z.string().max(11).optional(),
  brightness: Count.max(100).optional(), volume: Count.max(100).optional(),
})
export type BoardState = z.output<typeof BoardState>

/** How it is, every heartbeat. */
export const StateUp = z.object({
  counts: Counts.optional(), cpu: z.number().optional(), mem: z.number().optional(), temp: z.number().optional(), disk: z.number().optional(), rssi: z.number().optional(),
  skew: z.number().int().optional(), door: Door.optional(), children: z.array(Child).max(500).optional(), algorithms: Algorithms.optional(), board: BoardState.optional().catch(undefined),
})
export type StateUp = z.output<typeof StateUp>

/** Answers of a device to one of our messages, by the id of that message in `re`. */
export const ReplyUp = z.object({
  code: z.string().max(40).default('ok'),
  text: z.string().max(200).optional(),
  results: z.array(RowResult).max(1000).optional(),
  kind: z.enum(row_kinds).optional(),
  buckets: z.array(z.string().max(16)).max(256).optional(),
  rows: z.array(z.object({ key: z.string().max(128), hash: z.string().max(16) })).max(20_000).optional(),
  /** its settings by group, without those that are secret (`sync.config`) */
  config: z.record(z.string().max(40), z.record(z.string().max(40), z.union([z.number(), z.string().max(500)]))).optional(),
})
export type ReplyUp = z.output<typeof ReplyUp>

/** What happened at the device; `seq` has no gap within an epoch. What an item says beyond its kind is read by whoever stores it. */
export const EventItem = z.looseObject({ seq: z.number().int().min(1), type: z.string().max(20), at: z.string().max(40) })
export type EventItem = z.output<typeof EventItem>
/** What has happened since; each item is read by itself, so that one that nobody understands does not hold up the others. */
export const EventUp = z.object({ items: z.array(z.looseObject({ seq: z.number().int().min(1) })).min(1).max(100), gap: z.object({ from: Count, to: Count }).optional() })
export type EventUp = z.output<typeof EventUp>

const At = z.iso.datetime({ offset: true }).regex(/^(19[7-9]|20[0-9])[0-9]-/)
const Small = z.number().int().min(-32_768).max(32_767)
/** Somebody was at the door. Its numbers fit where passes are kept: one that does not is set aside alone and holds up nothing behind it. */
export const PassItem = z.object({
  seq: z.number().int().min(1), at: At, user_id: z.string().max(128).optional(), verify: Small, credential_id: z.string().max(128).optional(), code_masked: z.string().max(64).optional(),
  result: Small, reason: z.string().max(60).optional(), direction: Small.optional(), temp_tenths: Small.optional(), score: z.float32().optional(),
})
export type PassItem = z.output<typeof PassItem>

/** A card was held to a reader that decides nothing. `code` = its whole number, by which the server finds whose it is; it is kept by its last signs alone. */
export const CardItem = z.object({
  seq: z.number().int().min(1), at: At, user_id: z.string().max(128).optional(), credential_id: z.string().max(128).optional(), code: z.string().min(4).max(64).optional(), code_masked: z.string().max(64).optional(),
  direction: Small.optional(), temp_tenths: Small.optional(), symptoms: z.string().max(200).optional(),
})
export type CardItem = z.output<typeof CardItem>

/** Something is wrong (`value` 1) or right again (0). */
export const AlarmItem = z.object({ seq: z.number().int().min(1), at: At, kind: z.enum(['door_open', 'door_held', 'forced', 'fire', 'tamper', 'fault']), value: z.union([z.literal(0), z.literal(1)]) })
export type AlarmItem = z.output<typeof AlarmItem>

/** What a board says of one row of its content (chapter 31 §3); `hash` = of the row, of `plan` the plan's own. */
export const BoardItem = z.object({
  seq: z.number().int().min(1), at: At, row_key: z.string().min(1).max(128), hash: z.string().max(64), state: z.enum(['accepted', 'downloading', 'staged', 'playing', 'stopped', 'erased', 'fault']),
  bytes_done: Count.optional(), fault_code: z.string().max(40).optional(), detail: z.string().max(200).optional(),
})
export type BoardItem = z.output<typeof BoardItem>

/** How often what was shown, an hour's worth. */
export const PlaystatItem = z.object({ seq: z.number().int().min(1), at: At, rows: z.array(z.record(z.string(), z.unknown())).max(500) })
export type PlaystatItem = z.output<typeof PlaystatItem>

/** Where a vehicle terminal is: degrees, km/h, degrees from north, metres. */
export const PositionItem = z.object({
  seq: z.number().int().min(1), at: At, lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180), speed: z.number().min(0).max(1000).optional(), heading: z.number().int().min(0).max(360).optional(),
  acc: z.number().min(0).max(100_000).optional(),
})
export type PositionItem = z.output<typeof PositionItem>

/** The name of a picture at its box, with what it is. */
const Ref = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,55}\.(jpg|png)$/)
/**
 * A box has seen something through a camera (its serial number): `kind` in the words of AI_WARN_KIND, `rule_id` as it was told, `score` how sure it is. `image` names a picture that it keeps until it is asked for
 * or not asked for: with the acknowledgement come forms for those that are wanted.
 */
export const WarnItem = z.object({
  seq: z.number().int().min(1), at: At, kind: z.string().max(4), camera: z.string().max(64), rule_id: z.string().regex(/^[0-9]{1,18}$/).optional(), person_ref: z.string().min(1).max(64).optional(),
  score: z.number().min(0).max(100).optional(), image: Ref.optional(),
})
export type WarnItem = z.output<typeof WarnItem>

/** A picture that was asked for lies under this key now. */
export const ImageItem = z.object({ seq: z.number().int().min(1), at: At, image: Ref, key: z.string().max(200) })
export type ImageItem = z.output<typeof ImageItem>

/** A picture that is wanted: the form to send it with, to `url` below the address of the school, its fields and `key` before the file. */
export const UploadAsked = z.object({ image: Ref, key: z.string(), url: z.string(), fields: z.record(z.string(), z.string()), max_bytes: z.number().int(), expires_at: z.string() })
export type UploadAsked = z.output<typeof UploadAsked>
