import { PlaceId } from '@campus/places/contract'
import { api, channel, Day, filter, get, Instant, page, PageQuery, post, sheet } from '@kit/contract'
import { z } from 'zod'
import { DeviceId } from './device-id.ts'
import { AI_WARN_KIND, AI_WARN_STATE } from './dictionary.ts'

/** Pictures that a warning keeps, warnings that are decided at once, days that are looked at together, warnings whose pictures leave together (chapter 30 rule 25, §4). */
export const [ai_most_images, ai_most_decided, ai_most_days, ai_most_exported] = [5, 200, 31, 2000] as const
/** Hours within which a decision is taken back. */
export const ai_undo_hours = 24

const WarningId = z.string().regex(/^\d{1,18}$/u)
const RuleId = z.string().regex(/^\d{1,18}$/u)
const Kind = z.enum(AI_WARN_KIND.codes)
const State = z.enum(AI_WARN_STATE.codes)

/** A picture of a warning: null while its box has not sent it. */
const Picture = z.object({ at: Instant, score: z.number(), url: z.string().nullable() })

/** Something that a camera saw, from when until when, in how many messages of its box. */
export const AiWarning = z.object({
  warning_id: WarningId,
  warn_kind: Kind,
  rule_id: RuleId,
  rule_name: z.string(),
  camera_device_id: DeviceId,
  camera_name: z.string(),
  box_name: z.string(),
  place_id: PlaceId,
  node_path_name: z.string().nullable(),
  /** what that place was called then, when it has another name today */
  then_name: z.string().nullable(),
  person_name: z.string().nullable(),
  begin_at: Instant,
  end_at: Instant,
  hits: z.number().int(),
  images: z.array(Picture).max(ai_most_images),
  state: State,
  decided_name: z.string().nullable(),
  decided_at: Instant.nullable(),
  decision_note: z.string().nullable(),
  /** this caller may take the decision back now */
  can_undo: z.boolean(),
})
export type AiWarning = z.output<typeof AiWarning>

/** Who decided what, oldest first. */
const Decision = z.object({ at: Instant, user_name: z.string(), role_name: z.string(), from_state: State, to_state: State, note: z.string().nullable() })
export type AiDecision = z.output<typeof Decision>

/** What warnings are looked for by; days of Asia/Shanghai, both included. */
const asked = {
  from: Day,
  to: Day,
  warn_kind: filter(Kind),
  place_id: filter(PlaceId),
  camera_device_id: filter(DeviceId),
  rule_id: filter(RuleId),
  state: filter(State),
}
const Note = z.string().trim().max(200, { error: '超过200个字' }).optional()
const Ids = z.array(WarningId).min(1, { error: '请选择预警' }).max(ai_most_decided, { error: `一次最多处理${ai_most_decided}条` })
/** `seen_state`: what stood on the screen when somebody decided. */
const decide = { body: z.strictObject({ ids: Ids, seen_state: State, note: Note }), reply: z.object({ changed: z.number().int() }), op: 8, need: 'devices.ai.decide', within: 'place' } as const
const view = { need: 'devices.ai.view', within: 'place' } as const

/** Warnings and what people decide of them (chapter 30 §4, §2.7). */
export const aiRecordApi = api('iot', 'devices.ai_record', {
  page: get('ai_warn/record/page', { query: PageQuery.extend(asked), reply: page(AiWarning), ...view }),
  summary: get('ai_warn/record/summary', {
    query: z.object(asked),
    /** `states` of everything but the filter of states; `heat`: the places with the most, each with its hours of the day */
    reply: z.object({ states: z.record(State, z.number().int()), heat: z.array(z.object({ place_id: PlaceId, place_name: z.string(), hours: z.array(z.number().int()).length(24) })) }),
    ...view,
  }),
  decisions: get('ai_warn/record/decisions', { query: z.object({ warning_id: WarningId }), reply: z.object({ list: z.array(Decision) }), ...view }),
  ignore: post('ai_warn/record/ignore', decide),
  illegal: post('ai_warn/record/illegal', decide),
  undo: post('ai_warn/record/undo', { ...decide, op: 14 }),
  export: post('ai_warn/record/export', { body: z.strictObject(asked), reply: sheet, need: 'devices.ai.export', within: 'place', op: 7 }),
  export_images: post('ai_warn/record/export_images', {
    body: z.strictObject({ ids: Ids.optional(), filter: z.strictObject(asked).optional(), reason: z.string().trim().max(200, { error: '超过200个字' }).default('') }).refine(({ ids, filter: by }) => (ids === undefined) !== (by === undefined), { error: '请选择预警或筛选条件' }),
    reply: z.object({ job_no: z.string(), count: z.number().int() }), need: 'devices.ai.export', within: 'place', op: 7,
  }),
})

/** Each warning that comes or changes, at its place and everything above it (chapter 30 rule 28); what it says now is to be asked for. */
export const aiChannel = channel('ai:{place}', z.object({ warning_id: WarningId, is_new: z.boolean() }), view)
