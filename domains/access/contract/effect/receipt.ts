import { Instant } from '@kit/contract'
import { z } from 'zod'

export const receipt_states = { 0: '等待', 1: '完成', 2: '失败', 3: '不需要' } as const
export const receipt_effects = { give: '下发', take: '收回' } as const

const Receipt = z.object({
  device_name: z.string(),
  online: z.boolean(),
  effect: z.enum(['give', 'take']),
  people: z.number().int(),
  state: z.number().int().min(0).max(3),
  text: z.string(),
  at: Instant,
})

/** What became of a change of rights at each door (chapter 35 §7 access_effect). */
export const Receipts = z.object({ list: z.array(Receipt), total: z.number().int() })
export type Receipts = z.output<typeof Receipts>
