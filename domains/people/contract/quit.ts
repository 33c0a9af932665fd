import { api, Day, filter, get, page, PageQuery, post, sheet } from '@kit/contract'
import { z } from 'zod'
import { ChangeId } from './change-id.ts'
import { change_kinds } from './change.ts'
import { delete_states, OpenItem } from './deletion.ts'
import { CHANGE_KIND } from './dictionary.ts'
import { UserId } from './student.ts'

/** Ways of leaving as the chart of a year counts them. */
export const quit_groups = ['grad', 'out', 'other'] as const
export type QuitGroup = (typeof quit_groups)[number]

/** Somebody who left and has not come back. */
export const QuitRow = z.object({
  user_id: UserId,
  user_name: z.string(),
  user_no: z.string(),
  person_kind: z.number().int(),
  /** the class or department of his last day */
  dept_name: z.string().nullable(),
  close_kind: z.string(),
  to_where: z.string().nullable(),
  left_on: Day,
  /** null: for ever */
  kept_until: Day.nullable(),
  command_id: ChangeId.nullable(),
  is_purged: z.boolean(),
  /** where his deletion stands, if there is one */
  deletion: z.object({ batch_no: z.string(), state: z.enum(delete_states) }).nullable(),
  /** terminals and other stores that confirmed, of those that were asked */
  cleared: z.object({ acked: z.number().int(), asked: z.number().int() }).nullable(),
  items: z.array(OpenItem),
})
export type QuitRow = z.output<typeof QuitRow>

export const QuitFile = QuitRow.extend({
  school_name: z.string(),
  sex: z.string(),
  /** YYYYMM */
  enrol_month: z.string().nullable(),
  reason: z.string().nullable(),
  /** states over days, the first one first */
  spans: z.array(z.object({ state: z.string(), from: Day, to: Day.nullable(), open_kind: z.string(), close_kind: z.string().nullable() })),
})
export type QuitFile = z.output<typeof QuitFile>

const Year = z.object({ year: z.string(), grad: z.number().int(), out: z.number().int(), other: z.number().int() })
export type QuitYear = z.output<typeof Year>

/** 毕业, 转出, 退休 …: how somebody left. */
export function closeName(close_kind: string): string {
  const known = change_kinds.find(kind => kind === close_kind)
  return known ? CHANGE_KIND.names[known] : close_kind || '离校'
}

const view = { need: 'people.quit.view', within: 'dept' } as const
const Kind = filter(z.enum(['student', 'staff']))
const asked = { kind: Kind, year: filter(z.string().regex(/^\d{4}$/)), group: filter(z.enum(quit_groups)), keyword: filter(z.string().max(50)), from: filter(Day), to: filter(Day) }

/** What an export is asked for: the filter of the list, and why where many are in it. */
export const QuitExport = z.strictObject({ ...asked, reason: z.string().trim().max(200).default('') })

/** 毕业, 转出, 其他. */
export const quit_group_names: Readonly<Record<QuitGroup, string>> = { grad: '毕业', out: '转出', other: '其他' }

/** Who left (chapter 20 §4 Departed). */
export const quitApi = api('core', 'people.quit', {
  page: get('quit/page', {
    query: PageQuery.extend(asked),
    reply: page(QuitRow),
    ...view,
  }),
  years: get('quit/years', { query: z.object({ kind: Kind }), reply: z.object({ list: z.array(Year) }), ...view }),
  export: post('quit/export', { body: QuitExport, reply: sheet, need: 'people.quit.export', within: 'dept', op: 7 }),
  detail: get('quit/:id', { params: z.object({ id: UserId }), reply: QuitFile, ...view }),
})
