import { Instant } from '@kit/contract'
import { z } from 'zod'

/** Days for which the data and the files of a closed school are kept: as long as the journals must be. */
export const closed_kept_days = 180

export const receipt_effects = { sessions: '登录会话', jobs: '后台任务', retention: '资料保存', files: '文件删除' } as const
export const receipt_states = { planned: '待执行', running: '进行中', done: '已完成', failed: '未完成' } as const
export type ReceiptEffect = keyof typeof receipt_effects

const Receipt = z.object({ effect: z.enum(['sessions', 'jobs', 'retention', 'files']), target: z.string(), state: z.enum(['planned', 'running', 'done', 'failed']), at: Instant })
export type SchoolReceipt = z.output<typeof Receipt>

/** What became of a school that was suspended or closed; without `keep_until` it has not been closed. */
export const SchoolClosing = z.object({
  school_id: z.number().int(),
  state: z.number().int(),
  closed_at: Instant.nullable(),
  keep_until: Instant.nullable(),
  files_total: z.number().int(),
  files_removed: z.number().int(),
  finished_at: Instant.nullable(),
  receipts: z.array(Receipt),
})
export type SchoolClosing = z.output<typeof SchoolClosing>
