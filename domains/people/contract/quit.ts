import { api, choice, Day, exportOf, filter, firstDay, get, keyword, lastDay, list, textOf } from '@kit/contract'
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
/** 毕业, 转出, 其他. */
export const quit_group_names: Readonly<Record<QuitGroup, string>> = { grad: '毕业', out: '转出', other: '其他' }

const kind_names = { student: '学生', staff: '教职工' } as const
const person_kinds: Readonly<Record<string, string>> = { 1: '学生', 2: '教职工' }

/** Who left and has not come back. */
export const quitList = list({
  title: '离校人员档案', unit: '人', row: QuitRow, key: 'user_id', is_about_people: true,
  columns: {
    user_name: { label: '姓名', width: 104 },
    person_kind: { label: '类别', only: 'sheet', names: person_kinds },
    user_no: { label: '编号', width: 96 },
    dept_name: { label: '原班级/部门', width: 104 },
    close_kind: { label: '离校类型', width: 84, text: row => closeName(row.close_kind) },
    to_where: { label: '去向', width: 108 },
    left_on: { label: '离校日期', width: 96, kind: 'day' },
    items: { label: '未结事项', width: 112, text: row => row.items.map(item => item.title).join('、') },
    kept_until: { label: '数据保留至', width: 104, text: row => row.kept_until ?? '长期' },
    cleared: { label: '设备清除', width: 84, only: 'screen' },
    deletion: { label: '删除', width: 80, only: 'screen' },
  },
  filters: {
    keyword: keyword('姓名/学号/工号/证件号'),
    kind: choice('类别', kind_names),
    group: choice('离校类型', quit_group_names),
    year: { ...textOf('年份'), value: z.string().regex(/^\d{4}$/) },
    from: firstDay('离校日期', 'to'),
    to: lastDay(),
  },
})

/** Who left (chapter 20 §4 Departed). */
export const quitApi = api('core', 'people.quit', {
  page: get('quit/page', { query: quitList.query, reply: quitList.reply, ...view }),
  years: get('quit/years', { query: z.object({ kind: filter(z.enum(['student', 'staff'])) }), reply: z.object({ list: z.array(Year) }), ...view }),
  export: exportOf(quitList, 'quit/export', { need: 'people.quit.export', within: 'dept' }),
  detail: get('quit/:id', { params: z.object({ id: UserId }), reply: QuitFile, ...view }),
})
