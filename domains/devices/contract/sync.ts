import { api, filter, get, Instant, page, PageQuery } from '@kit/contract'
import { z } from 'zod'
import { DeviceId } from './device-id.ts'

/** What may become of a row that a device is to hold or to forget, in the words of the screens (chapter 30 §2.3). */
export const row_states = { refused: '被拒', blocked: '阻止', unknown: '待核对', sent: '下发中', pending: '待下发', applied: '已生效', proven: '已校验', gone: '已清除' } as const
/** Kinds of rows, in the words of the screens. */
export const row_kind_names = { permission: '通行时段', person: '人员', credential: '凭证', block: '黑名单', config: '配置', rule: '规则', content: '内容', firmware: '固件' } as const

const RowState = z.enum(['refused', 'blocked', 'unknown', 'sent', 'pending', 'applied', 'proven', 'gone'])
const Kind = z.enum(['permission', 'person', 'credential', 'block', 'config', 'rule', 'content', 'firmware'])

/** A row of a device: what it is to hold under a key, what became of it, what is the matter and what to do (null: nothing). */
export const StateRow = z.object({
  kind: Kind,
  row_key: z.string(),
  user_id: z.string().nullable(),
  user_name: z.string().nullable(),
  user_no: z.string().nullable(),
  dept_name: z.string().nullable(),
  want_op: z.enum(['put', 'delete']),
  state: RowState,
  sentence: z.string(),
  next_step: z.string().nullable(),
  attempts: z.number().int(),
  next_at: Instant.nullable(),
  sent_at: Instant.nullable(),
  acked_at: Instant.nullable(),
  proven_at: Instant.nullable(),
})
export type StateRow = z.output<typeof StateRow>

/** Why somebody does not get in at a device now: `can` says whether the device would let him, `maybe` when nobody can tell. */
export const WhyNot = z.object({ user_id: z.string(), user_name: z.string(), user_no: z.string(), dept_name: z.string().nullable(), can: z.enum(['yes', 'no', 'maybe']), sentence: z.string(), next_step: z.string().nullable() })
export type WhyNot = z.output<typeof WhyNot>

/** How many rows of a device are in effect (`proven` of them read back), on their way, refused, blocked; what is gone does not count. */
export const SyncCounts = z.object({ want: z.number().int(), applied: z.number().int(), proven: z.number().int(), pending: z.number().int(), refused: z.number().int(), blocked: z.number().int() })
export type SyncCounts = z.output<typeof SyncCounts>

/** What devices hold (chapter 30 §4); `why` tells of the people whom the keyword names. */
export const syncApi = api('iot', 'devices.sync', {
  state_rows: get('device/:id/state_rows', {
    params: z.object({ id: DeviceId }),
    query: PageQuery.extend({ kind: filter(Kind), state: filter(RowState), keyword: filter(z.string().trim().min(1).max(64)) }),
    reply: page(StateRow).extend({ why: z.array(WhyNot) }),
    need: 'devices.sync.view',
    within: 'place',
  }),
})
