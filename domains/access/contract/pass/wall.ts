import { PlaceId } from '@campus/places/contract'
import { UserId } from '@campus/people/contract'
import { api, Done, filter, get, Instant, post, Day } from '@kit/contract'
import { z } from 'zod'
import { PassRow } from './pass.ts'

/** A pass as a wall shows it; the portrait for whoever may see photos. */
export const WallPass = PassRow.extend({ photo_url: z.string().nullable() })
export type WallPass = z.output<typeof WallPass>

const Count = z.object({ inside: z.number().int(), total: z.number().int() })
export const WallSummary = z.object({
  day: Day,
  student: Count,
  teacher: Count,
  visitors: z.number().int(),
  in_count: z.number().int(),
  out_count: z.number().int(),
  denied_count: z.number().int(),
  gates: z.array(z.object({ place_id: PlaceId, place_name: z.string(), in_count: z.number().int(), out_count: z.number().int(), online: z.number().int(), devices: z.number().int(), slots: z.array(z.number().int()) })),
})
export type WallSummary = z.output<typeof WallSummary>

export const PresenceRow = z.object({ subject_kind: z.number().int(), user_id: UserId, user_name: z.string().nullable(), dept_name: z.string().nullable(), state: z.number().int(), basis: z.number().int(), since: Instant.nullable(), place_name: z.string().nullable(), note: z.string().nullable() })
export type PresenceRow = z.output<typeof PresenceRow>
export const presence_states = { 1: '在校', 2: '离校', 0: '未知' } as const
export const presence_bases = { 1: '观测', 2: '推断', 3: '人工' } as const

const live = { need: 'access.live.view', within: 'place' } as const
const Cursor = z.string().regex(/^\d{1,18}$/)

/** The live wall at the gates (chapter 35 §5 /SchoolEnterExit) and who is on campus now. */
export const wallApi = api('iot', 'access.live', {
  since: get('pass/live/since', { query: z.object({ cursor: filter(Cursor), place_id: filter(PlaceId) }), reply: z.object({ list: z.array(WallPass), cursor: z.string() }), ...live }),
  summary: get('presence/summary', { reply: WallSummary, ...live }),
  presence: get('presence/list', { query: z.object({ state: filter(z.enum(['0', '1', '2'])), kind: z.enum(['student', 'teacher']).default('student'), keyword: filter(z.string().max(50)) }), reply: z.object({ list: z.array(PresenceRow), total: z.number().int() }), need: 'access.presence.view', within: 'dept' }),
  fix: post('presence/fix', { body: z.strictObject({ user_id: UserId, state: z.union([z.literal(1), z.literal(2)]), reason: z.string().trim().min(2, { error: '请填写原因' }).max(100, { error: '超过100个字' }) }), reply: Done, op: 4, need: 'access.presence.fix', within: 'dept' }),
})
