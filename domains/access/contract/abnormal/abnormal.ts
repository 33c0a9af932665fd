import { UserId } from '@campus/people/contract'
import { PlaceId } from '@campus/places/contract'
import { api, choice, event, exportOf, failures, firstDay, get, id, Instant, keyword, lastDay, list, post } from '@kit/contract'
import { z } from 'zod'

/** ABNORMAL_KIND (chapter 35 R54). */
export const abnormal_kinds = {
  '1': '越权通行',
  '2': '误拒',
  '3': '未见离校',
  '4': '未见进校',
  '5': '多次被拒',
  '6': '短时异地',
  '7': '重复进入',
  '8': '上课时段离校无假条',
  '9': '夜间通行',
  '10': '陌生人徘徊',
  '11': '访客超时未离',
  '12': '挂失卡使用',
  '13': '设备记录缺口',
} as const
export const abnormal_states = { '0': '待处理', '1': '属实', '2': '误报', '3': '已处置' } as const
const severities = { '1': '一般', '2': '重要', '3': '严重' } as const
const most_handled = 200

/** User-facing failures of abnormal passes. */
export const abnormalErrors = failures('access', { abnormalDone: [409, '所选记录已被处理，请刷新后重试'] })

export const abnormalEvents = {
  /** something that somebody should look at; never for a record that is known already */
  abnormalRaised: event(
    'access.abnormal.raised',
    z.object({
      kind: z.number().int(),
      subject_kind: z.number().int().nullable(),
      subject_id: z.string().nullable(),
      place_id: PlaceId.nullable(),
      severity: z.number().int(),
    }),
  ),
}

const AbnormalId = id('access.abnormal')
export const AbnormalRow = z.object({
  abnormal_id: AbnormalId,
  kind: z.number().int(),
  severity: z.number().int(),
  user_id: UserId.nullable(),
  user_name: z.string().nullable(),
  dept_name: z.string().nullable(),
  place_name: z.string().nullable(),
  at: Instant,
  passes: z.number().int(),
  /** keys of its passes, the first one first */
  evidence: z.array(z.string()),
  detail: z.string().nullable(),
  state: z.number().int(),
  note: z.string().nullable(),
  handled_by_name: z.string().nullable(),
  handled_at: Instant.nullable(),
})
export type AbnormalRow = z.output<typeof AbnormalRow>

/** Passes that somebody should look at, as a queue. */
export const abnormalList = list({
  title: '异常通行',
  row: AbnormalRow,
  key: 'abnormal_id',
  is_about_people: true,
  columns: {
    at: { label: '时间', width: 132, kind: 'instant' },
    kind: { label: '类型', width: 100, names: abnormal_kinds },
    severity: { label: '程度', width: 64, names: severities },
    user_name: { label: '人员', width: 96, text: row => row.user_name ?? (row.user_id === null ? '—' : '已注销人员') },
    dept_name: { label: '部门（当时）', width: 120 },
    place_name: { label: '门', width: 112 },
    passes: { label: '通行记录', width: 84, kind: 'number' },
    detail: { label: '说明', width: 200 },
    state: { label: '状态', width: 76, names: abnormal_states },
    note: { label: '处理意见', width: 160 },
    handled_by_name: { label: '处理人', width: 84 },
    handled_at: { label: '处理时间', width: 132, kind: 'instant' },
  },
  filters: {
    keyword: keyword('姓名'),
    kind: choice('类型', abnormal_kinds),
    state: choice('状态', abnormal_states),
    from: firstDay('日期', 'to'),
    to: lastDay(),
  },
})

const view = { need: 'access.abnormal.view', within: 'dept' } as const

/** Abnormal passes: who, what, decided by whom (chapter 35 §4 Abnormal). */
export const abnormalApi = api('iot', 'access.abnormal', {
  list: get('abnormal/list', { query: abnormalList.query, reply: abnormalList.reply, ...view }),
  export: exportOf(abnormalList, 'abnormal/export', { need: 'access.abnormal.view', within: 'dept' }),
  /** how many wait, by kind */
  count: get('abnormal/count', {
    reply: z.object({ waiting: z.number().int(), list: z.array(z.object({ kind: z.number().int(), count: z.number().int() })) }),
    ...view,
  }),
  handle: post('abnormal/handle', {
    body: z.strictObject({
      ids: z
        .array(AbnormalId)
        .min(1, { error: '请选择记录' })
        .max(most_handled, { error: `一次最多处理${most_handled}条` }),
      state: z.literal([1, 2, 3], { error: '请选择处理结果' }),
      note: z
        .string({ error: '请填写处理意见' })
        .trim()
        .min(2, { error: '处理意见为2到200个字' })
        .max(200, { error: '处理意见为2到200个字' }),
    }),
    reply: z.object({ handled: z.number().int() }),
    op: 4,
    need: 'access.abnormal.handle',
    within: 'dept',
  }),
})
