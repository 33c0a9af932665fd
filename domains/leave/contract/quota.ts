import { DeptId, UserId } from '@campus/people/contract'
import { api, Day, Done, get, id, keyword, list, post, reference } from '@kit/contract'
import { z } from 'zod'

/** A day of a quota in minutes. */
export const quota_day_minutes = 480
/** Leave of staff that is counted (chapter 70 §1.1 leave_quota_entry). */
export const quota_names: Readonly<Record<string, string>> = {
  '03': '年休假',
  '04': '调休',
  '07': '陪产假',
  '11': '育儿假',
  '12': '护理假(独生子女)',
}
const QuotaCode = z.enum(['03', '04', '07', '11', '12'], { error: '请选择假别' })
const Days = z.number({ error: '请填写天数' }).multipleOf(0.5, { error: '天数以半天为单位' })
const Note = z.string().trim().max(100, { error: '超过100个字' }).default('')

export const QuotaRow = z.object({
  row_id: z.string(),
  user_id: UserId,
  user_name: z.string(),
  user_no: z.string(),
  dept_name: z.string().nullable(),
  quota_code: z.string(),
  granted: z.number(),
  used: z.number(),
  left: z.number(),
  expire_on: Day.nullable(),
})
export type QuotaRow = z.output<typeof QuotaRow>

/** 假期额度: who has how much of which. */
export const quotaList = list({
  title: '假期额度',
  row: QuotaRow,
  key: 'row_id',
  is_about_people: true,
  columns: {
    user_name: { label: '姓名', width: 96 },
    user_no: { label: '工号', width: 112 },
    dept_name: { label: '部门', width: 140 },
    quota_code: { label: '假别', width: 112, text: row => quota_names[row.quota_code] ?? row.quota_code },
    granted: { label: '额度(天)', width: 88, kind: 'number' },
    used: { label: '已用(天)', width: 88, kind: 'number' },
    left: { label: '剩余(天)', width: 88, kind: 'number' },
    expire_on: { label: '最近到期', width: 112 },
  },
  filters: { keyword: keyword('姓名/工号'), dept_id: reference('部门', 'people.dept', DeptId) },
})

const view = { need: 'leave.quota.view', within: 'dept' } as const
const edit = { need: 'leave.quota.edit', within: 'dept' } as const
const Granted = z.object({ entry_id: id('leave.quota_entry') })

/** Quotas: granted, corrected, taken by leaves (chapter 70 §4). */
export const quotaApi = api('leave', 'leave.quota', {
  page: post('quota/page', { body: quotaList.query, reply: quotaList.reply, reads: true, unlogged: '列表查询', ...view }),
  balance: get('quota/balance', {
    reply: z.object({ list: z.array(z.object({ quota_code: z.string(), left: z.number() })) }),
    session: true,
    within: 'self',
  }),
  give: post('quota/grant', {
    body: z.strictObject({
      user_id: UserId,
      quota_code: QuotaCode,
      days: Days.min(0.5, { error: '天数应大于0' }).max(366, { error: '不能超过366天' }),
      expire_on: Day.nullable().default(null),
      note: Note,
    }),
    reply: Granted,
    ...edit,
  }),
  correct: post('quota/correct', {
    body: z.strictObject({
      user_id: UserId,
      quota_code: QuotaCode,
      days: Days.min(-366)
        .max(366)
        .refine(days => days !== 0, { error: '更正天数不能为0' }),
      note: Note,
    }),
    reply: Done,
    op: 4,
    ...edit,
  }),
})
