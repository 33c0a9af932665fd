import { event } from '@kit/contract'
import { z } from 'zod'

/** What insight tells the others (chapter 90 §3). */
export const insightEvents = {
  /** `route` 2 校车数据看板, 3 自定义看板; `target` 1 school, 2 role; no items: it was withdrawn */
  layoutPublished: event('insight.layout.published', z.object({ layout_id: z.string(), route: z.number().int(), target: z.number().int(), target_id: z.string().nullable() })),
}
