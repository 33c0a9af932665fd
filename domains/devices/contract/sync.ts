import { api, filter, get, Instant, page, PageQuery, post, QueryFlag } from '@kit/contract'
import { z } from 'zod'
import { DeviceId } from './device-id.ts'
import { Reason } from './reason.ts'

/** What may become of a row that a device is to hold or to forget, in the words of the screens (chapter 30 §2.3). */
export const row_states = { refused: '被拒', blocked: '阻止', unknown: '待核对', sent: '下发中', pending: '待下发', applied: '已生效', proven: '已校验', gone: '已清除' } as const
/** Kinds of rows, in the words of the screens. */
export const row_kind_names = { permission: '通行时段', person: '人员', credential: '凭证', block: '黑名单', config: '配置', rule: '规则', content: '内容', firmware: '固件' } as const

const RowState = z.enum(['refused', 'blocked', 'unknown', 'sent', 'pending', 'applied', 'proven', 'gone'])
/** What kind of row a device holds. */
export const RowKind = z.enum(['permission', 'person', 'credential', 'block', 'config', 'rule', 'content', 'firmware'])

/** What a button does about a cause; its words and its right stand in `remedies`. */
const Remedy = z.enum(['enable', 'push', 'confirm', 'place', 'resend', 'derive', 'verify', 'clock', 'rule', 'photo', 'person'])
export type Remedy = z.output<typeof Remedy>

const most_rows = 300
const row_key = z.string().min(1).max(80)
const RowName = z.object({ kind: RowKind, row_key })

/** A row of a device: what it is to hold under a key, what became of it, what is the matter and what to do (null: nothing). `remedy`: what a button does about it, for whoever may press it. */
export const StateRow = z.object({
  kind: RowKind,
  row_key: z.string(),
  user_id: z.string().nullable(),
  user_name: z.string().nullable(),
  user_no: z.string().nullable(),
  dept_name: z.string().nullable(),
  /** of a rule of boxes its name */
  rule_name: z.string().nullable(),
  /** of a setting and of a rule what people call it */
  title: z.string().nullable(),
  want_op: z.enum(['put', 'delete']),
  state: RowState,
  sentence: z.string(),
  next_step: z.string().nullable(),
  remedy: Remedy.nullable(),
  attempts: z.number().int(),
  next_at: Instant.nullable(),
  sent_at: Instant.nullable(),
  acked_at: Instant.nullable(),
  proven_at: Instant.nullable(),
})
export type StateRow = z.output<typeof StateRow>

/** Why somebody does not get in at a device now: `can` says whether the device would let him, `maybe` when nobody can tell; `row` is the one that is in the way, if it is one. */
export const WhyNot = z.object({ user_id: z.string(), user_name: z.string(), user_no: z.string(), dept_name: z.string().nullable(), can: z.enum(['yes', 'no', 'maybe']), sentence: z.string(), next_step: z.string().nullable(), remedy: Remedy.nullable(), row: RowName.nullable() })
export type WhyNot = z.output<typeof WhyNot>

/** How many rows of a device are in effect (`proven` of them read back), on their way, refused, blocked; what is gone does not count. `eta_s`: in how many seconds the device will have what is on its way, by its own pace; null when nothing is, or when nobody knows; `oldest_pending_at`: since when the oldest of it waits, null when nothing does. */
export const SyncCounts = z.object({ want: z.number().int(), applied: z.number().int(), proven: z.number().int(), pending: z.number().int(), refused: z.number().int(), blocked: z.number().int(), eta_s: z.number().int().nullable(), oldest_pending_at: Instant.nullable() })
export type SyncCounts = z.output<typeof SyncCounts>

/** The last whole read-back of a device and what it found then; `failed`: the device did not answer to its end. */
export const SyncProof = z.object({ asked_at: Instant, state: z.enum(['waiting', 'done', 'failed']), ended_at: Instant.nullable(), rows_checked: z.number().int(), rows_missing: z.number().int(), rows_different: z.number().int(), rows_foreign: z.number().int() })
export type SyncProof = z.output<typeof SyncProof>

/** What may be found otherwise than it is to be, and what became of it, in the words of the screens. */
export const drift_names = { missing: '缺少', different: '不一致', foreign: '外来' } as const
export const resolution_names = { resent: '已重新下发', gone: '已不在设备上', adopt: '保留', delete: '已删除', ignore: '已忽略', expired: '到期自动删除' } as const
/** A difference; of a foreign row nobody knows more than its key. */
export const Drift = z.object({
  drift_id: z.string(),
  kind: RowKind,
  row_key: z.string(),
  user_name: z.string().nullable(),
  user_no: z.string().nullable(),
  found: z.enum(['missing', 'different', 'foreign']),
  found_at: Instant,
  resolution: z.enum(['resent', 'gone', 'adopt', 'delete', 'ignore', 'expired']).nullable(),
  resolved_at: Instant.nullable(),
  /** when it goes from the device by itself, if nobody decides before; null: it does not */
  delete_at: Instant.nullable(),
})
export type Drift = z.output<typeof Drift>

/** A change that takes many people from a device and waits for a signature; `names` are some of them, `groups` the classes and departments most of them are of. */
export const HeldPlan = z.object({
  plan_id: z.string(), device_id: DeviceId, device_name: z.string(), node_path_name: z.string().nullable(), direction: z.number().int().nullable(), persons: z.number().int(), persons_total: z.number().int(), held_at: Instant,
  names: z.array(z.string()),
  groups: z.array(z.object({ name: z.string(), persons: z.number().int() })),
})
export type HeldPlan = z.output<typeof HeldPlan>

const most_drifts = 300
const byId = z.object({ id: DeviceId })
const edit = { need: 'devices.sync.edit', within: 'place' } as const

/** What devices hold (chapter 30 §4); `why` tells of the people whom the keyword names. */
export const syncApi = api('iot', 'devices.sync', {
  state_rows: get('device/:id/state_rows', {
    params: byId,
    query: PageQuery.extend({ kind: filter(RowKind), state: filter(RowState), keyword: filter(z.string().trim().min(1).max(64)) }),
    reply: page(StateRow).extend({ why: z.array(WhyNot) }),
    need: 'devices.sync.view',
    within: 'place',
  }),
  resync: post('device/:id/resync', { params: byId, body: z.strictObject({ mode: z.enum(['diff', 'verify', 'rebuild']), confirm: z.string().trim().max(50).optional() }), reply: z.object({ proof: SyncProof.nullable() }), op: 4, ...edit }),
  resend: post('device/:id/resend', { params: byId, body: z.strictObject({ rows: z.array(z.strictObject(RowName.shape)).min(1, { error: '请选择下发数据' }).max(most_rows, { error: `一次最多处理${most_rows}条` }) }), reply: z.object({ rows: z.number().int() }), op: 4, ...edit }),
  drift: get('device/drift', { query: PageQuery.extend({ device_id: DeviceId, found: filter(z.enum(['missing', 'different', 'foreign'])), resolved: filter(QueryFlag) }), reply: page(Drift).extend({ proof: SyncProof.nullable(), read_back_hour: z.number().int() }), ...edit }),
  drift_resolve: post('device/drift/resolve', { body: z.strictObject({ ids: z.array(z.string().regex(/^\d{1,18}$/u)).min(1, { error: '请选择差异' }).max(most_drifts, { error: `一次最多处理${most_drifts}条` }), action: z.enum(['adopt', 'delete', 'ignore']) }), reply: z.object({ resolved: z.number().int() }), op: 4, ...edit }),
  holds: get('device/sync_hold', { reply: z.object({ list: z.array(HeldPlan) }), need: 'devices.sync.view', within: 'place' }),
  hold_confirm: post('device/sync_hold/confirm', { body: z.strictObject({ plan_id: z.string().regex(/^\d{1,18}$/u), reason: Reason }), reply: z.object({ rows: z.number().int() }), op: 4, need: 'devices.sync.confirm', within: 'place' }),
})
