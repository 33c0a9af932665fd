import { DeptId, UserId } from '@campus/people/contract'
import { PlaceId } from '@campus/places/contract'
import { api, filter, get, id, Instant, page, PageQuery, post } from '@kit/contract'
import { z } from 'zod'
import { Receipts } from '../effect/receipt.ts'

const TemporaryId = id('access.temporary_rule')
const BanId = id('access.ban')
export const effect_names = { 1: '放行', 2: '禁止' } as const
export const direction_names = { 1: '进', 2: '出', 3: '双向' } as const
export const source_names = { 1: '手工', 2: '请假', 3: '接送', 4: '健康', 5: '考试' } as const
/** TEMP_REASON. */
export const reason_names = { 1: '外出办事', 2: '活动', 3: '就医', 4: '封闭管理', 5: '违纪', 9: '其他' } as const
export const temporary_states = { coming: '待生效', running: '生效中', over: '已结束', revoked: '已撤销' } as const
const State = z.enum(['coming', 'running', 'over', 'revoked'])
const [most_users, most_places, most_ids] = [500, 50, 200] as const
const Reason = z.string({ error: '请填写原因' }).trim().min(2, { error: '原因为2到100个字' }).max(100, { error: '原因为2到100个字' })
const Direction = z.literal([1, 2, 3])
/** Whose rules a page shows: pupils, or staff. */
const Kind = z.coerce.number().int().min(1).max(2)

const TemporaryDraft = z.strictObject({
  person_kind: Kind,
  effect: z.literal([1, 2]),
  direction: Direction,
  user_ids: z.array(UserId).max(most_users, { error: `一次最多${most_users}人` }).default([]),
  dept_ids: z.array(DeptId).max(most_places).default([]),
  /** none: every door */
  place_ids: z.array(PlaceId).max(most_places).default([]),
  begin_at: Instant,
  end_at: Instant,
  max_times: z.number().int().min(1, { error: '次数为1到99' }).max(99, { error: '次数为1到99' }).nullable().default(null),
  reason_code: z.enum(['1', '2', '3', '4', '5', '9']),
  reason: Reason,
})
export const TemporaryRow = z.object({
  temporary_rule_id: TemporaryId, effect: z.number().int(), direction: z.number().int(), whom: z.string(), people: z.number().int(), places: z.string(), begin_at: z.iso.datetime(), end_at: z.iso.datetime(),
  max_times: z.number().int().nullable(), reason_code: z.string(), reason: z.string(), source: z.number().int(), state: State, created_by_name: z.string().nullable(), row_version: z.number().int(),
})
export type TemporaryRow = z.output<typeof TemporaryRow>

const view = { need: 'access.temp.view', within: 'dept' } as const
const edit = { need: 'access.temp.edit', within: 'dept' } as const
const Ids = z.array(TemporaryId).min(1).max(most_ids)

/** One-off rights and denials (chapter 35 §4 Temporary). */
export const temporaryApi = api('iot', 'access.temporary', {
  list: get('temporaryRule/list', { query: PageQuery.extend({ person_kind: Kind, state: filter(State), keyword: filter(z.string().max(50)) }), reply: page(TemporaryRow), ...view }),
  /** 查看送达: which doors have taken it, or given it back */
  receipts: get('temporaryRule/receipts', { query: z.object({ temporary_rule_id: TemporaryId }), reply: Receipts, ...view }),
  add: post('temporaryRule/add', { body: TemporaryDraft, reply: z.object({ temporary_rule_id: TemporaryId }), ...edit }),
  /** a running rule ends later or earlier */
  update: post('temporaryRule/update', { body: z.strictObject({ temporary_rule_id: TemporaryId, row_version: z.number().int(), end_at: Instant, reason: Reason }), reply: z.object({ temporary_rule_id: TemporaryId }), op: 4, ...edit }),
  revoke: post('temporaryRule/revoke', { body: z.strictObject({ ids: Ids, reason: Reason }), reply: z.object({ revoked: z.number().int() }), op: 5, ...edit }),
})

export const BanRow = z.object({
  ban_id: BanId, user_id: UserId, user_name: z.string(), dept_name: z.string().nullable(), direction: z.number().int(), place_name: z.string().nullable(), begin_at: z.iso.datetime(), end_at: z.iso.datetime(), reason: z.string(), is_open: z.boolean(),
})
export type BanRow = z.output<typeof BanRow>
const BanDraft = z.strictObject({
  user_ids: z.array(UserId).min(1, { error: '请选择人员' }).max(most_users), direction: Direction.default(1), place_id: PlaceId.nullable().default(null), begin_at: Instant, end_at: Instant, reason: Reason,
})
const banView = { need: 'access.ban.view', within: 'dept' } as const
const banEdit = { need: 'access.ban.edit', within: 'dept' } as const

/** 禁行: people who may not come in, whatever rule they have. */
export const banApi = api('iot', 'access.ban', {
  list: get('banCard/list', { query: PageQuery.extend({ person_kind: Kind, keyword: filter(z.string().max(50)) }), reply: page(BanRow), ...banView }),
  add: post('banCard/add', { body: BanDraft, reply: z.object({ added: z.number().int() }), ...banEdit }),
  lift: post('banCard/lift', { body: z.strictObject({ ids: z.array(BanId).min(1).max(most_ids), reason: Reason }), reply: z.object({ lifted: z.number().int() }), op: 5, ...banEdit }),
})
