import { api, choice, Day, del, Done, get, id, keyword, list, post, put } from '@kit/contract'
import { z } from 'zod'
import { ContentId, ContentTarget, placing } from './content.ts'

export const CountdownId = id('publishing.countdown')
const count = z.number().int()
export const count_modes = { '1': '自然日', '2': '上学日' } as const
export const countdown_styles = { '1': '翻牌', '2': '数字', '3': '进度环' } as const
export const countdown_states = { '1': '显示中', '2': '未开始', '3': '已结束' } as const

export const CountdownDraft = z.strictObject({
  title: z.string().trim().min(1, { error: '请填写标题' }).max(20, { error: '标题超过20个字' }),
  target_on: Day,
  count_mode: z.number().int().min(1).max(2).default(1),
  show_from: Day.nullable().default(null),
  /** the last day on which it is shown; none: the day after the target */
  show_until: Day.nullable().default(null),
  done_text: z.string().trim().max(20, { error: '到期文字超过20个字' }).default(''),
  style: z.number().int().min(1).max(3).default(1),
  ...placing,
})
export type CountdownDraft = z.output<typeof CountdownDraft>
export const CountdownRow = z.object({
  id: CountdownId,
  content_id: ContentId,
  title: z.string(),
  target_on: Day,
  count_mode: count,
  show_from: Day,
  show_until: Day,
  done_text: z.string(),
  style: count,
  zone: z.string(),
  rule_id: z.string().nullable(),
  priority: count,
  days: count,
  state: z.enum(['1', '2', '3']),
  boards: count,
  playing: count,
  targets: z.array(ContentTarget.extend({ name: z.string() })),
  row_version: count,
})
export type CountdownRow = z.output<typeof CountdownRow>

export const countdownList = list({
  title: '倒计时',
  row: CountdownRow,
  key: 'id',
  columns: {
    title: { label: '标题', width: 160 },
    target_on: { label: '目标日期', width: 104, kind: 'day' },
    days: { label: '剩余天数', width: 84, kind: 'number' },
    count_mode: { label: '计数', width: 84, names: count_modes },
    style: { label: '样式', width: 84, names: countdown_styles },
    show: { label: '显示日期', width: 190, text: row => `${row.show_from} 至 ${row.show_until}` },
    targets: { label: '播放位置', width: 180, text: row => row.targets.map(one => one.name).join('、') },
    state: { label: '状态', width: 84, names: countdown_states },
    playing: { label: '播放中', width: 84, text: row => `${row.playing}/${row.boards}` },
  },
  filters: { keyword: keyword('标题'), state: choice('状态', countdown_states) },
})

const view = { need: 'publishing.content.view', within: 'place' } as const
const edit = { need: 'publishing.content.publish', within: 'place' } as const
const ById = z.object({ id: CountdownId })

/** Countdowns on boards; each is a content of its own that is shown by itself (chapter 60 rule 39). */
export const countdownApi = api('iot', 'publishing.countdown', {
  list: get('place/countdown', { query: countdownList.query, reply: countdownList.reply, ...view }),
  add: post('place/countdown', { body: CountdownDraft, reply: z.object({ id: CountdownId }), ...edit }),
  update: put('place/countdown/:id', { params: ById, body: CountdownDraft.extend({ row_version: count }), reply: Done, ...edit }),
  remove: del('place/countdown/:id', { params: ById, reply: Done, ...edit }),
})
