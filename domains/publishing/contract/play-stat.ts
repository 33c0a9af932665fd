import { choice, distinct, Instant, report, sum } from '@kit/contract'
import { z } from 'zod'

const count = z.number().int()
export const play_groups = { content: '内容', board: '班牌', day: '日期' } as const
export type PlayGroup = keyof typeof play_groups
/** Lines that one word of a player may bring. */
export const most_play_lines = 500

/** One content in one hour on one screen, all of it that was counted so far: told again it is the same or more. */
export const PlayLine = z.strictObject({
  hour: Instant,
  content_id: z.string().regex(/^[0-9]{1,18}$/),
  plays: count.min(0).max(100_000),
  seconds: count.min(0).max(3600),
})
export type PlayLine = z.output<typeof PlayLine>

/** 播放统计: how often and how long contents were on screens, by what their players counted (chapter 60 §1.4). */
export const playReport = report({
  title: '播放统计',
  keys: {
    group_name: { label: '分组', width: 220, value: z.string().nullable() },
    group_id: { label: '', value: z.string(), hidden: true },
  },
  measures: {
    plays: sum('播放次数', '次'),
    minutes: sum('播放时长', '分钟'),
    boards: distinct('班牌', '块'),
    contents: distinct('内容', '条'),
  },
  filters: { by: choice('分组', play_groups) },
  range: { most_days: 366, usual: 'month' },
})
