import { api, Instant, post } from '@kit/contract'
import { z } from 'zod'
import { Reason } from './reason.ts'

/** How it stands with a face at a device that has ever held it, in the words of the certificate; `proven` and `wiped` are done. */
export const erasure_words = { held: '仍保存在设备上', open: '已通知删除，设备还没有确认', acked: '设备已确认删除，等待回读核对', proven: '已删除，并经回读核对', wiped: '设备数据已全部丢失', lost: '设备已登记为遗失，无法确认' } as const
const State = z.enum(['held', 'open', 'acked', 'proven', 'wiped', 'lost'])

/** A device that has ever held the face. */
export const ErasureLine = z.object({ device_name: z.string(), device_sn: z.string(), node_path_name: z.string().nullable(), state: State, first_applied_at: Instant.nullable(), delete_acked_at: Instant.nullable(), proven_gone_at: Instant.nullable() })
export type ErasureLine = z.output<typeof ErasureLine>

/** What a school can show of somebody's face on its devices (chapter 30 §10.5); `open` of the lines are not done. */
export const Erasure = z.object({
  school_name: z.string(),
  person: z.object({ user_no: z.string(), user_name: z.string(), dept_name: z.string().nullable() }),
  reason: z.string(),
  issued_at: Instant,
  issued_by_name: z.string().nullable(),
  lines: z.array(ErasureLine),
  open: z.number().int(),
})
export type Erasure = z.output<typeof Erasure>

export const ErasureAsk = z.strictObject({ user_no: z.string({ error: '请填写学号或工号' }).trim().min(1, { error: '请填写学号或工号' }).max(64, { error: '超过64个字' }), reason: Reason })
const export_op = 7

/** The certificate; whoever takes it is written down with why. */
export const erasureApi = api('iot', 'devices.erasure', {
  issue: post('device/erasure', { body: ErasureAsk, reply: Erasure, op: export_op, need: 'devices.sync.confirm', within: 'school' }),
})
