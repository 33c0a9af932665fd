import { DeptId, UserId } from '@campus/people/contract'
import { PlaceId } from '@campus/places/contract'
import { api, carried, count, Day, exportOf, firstDay, Instant, keyword, lastDay, list, post, reference, report, sum } from '@kit/contract'
import { z } from 'zod'
import { most_days, passList } from './pass.ts'
import type { TurnoverKind } from './pass.ts'

/** Bits of a person's day and what they say (chapter 35 §1.4). */
export const day_flags = { 1: '未见离校', 2: '未见进校', 4: '多次进出', 8: '含补传', 16: '含人工' } as const

/** What the bits of a day say, in their order. */
export function flagTexts(flags: number): string[] {
  return Object.entries(day_flags).flatMap(([bit, text]) => ((flags & Number(bit)) === 0 ? [] : [text]))
}

export const UserDayRow = z.object({
  day_key: z.string(), date: Day, subject_kind: z.number().int(), user_id: UserId, user_name: z.string().nullable(), user_no: z.string().nullable(), dept_name: z.string().nullable(),
  first_in: Instant.nullable(), last_out: Instant.nullable(), in_count: z.number().int(), out_count: z.number().int(), denied_count: z.number().int(), minutes_inside: z.number().int().nullable(), flags: z.number().int(),
})
export type UserDayRow = z.output<typeof UserDayRow>

/** A person's day on the perimeter of the school. */
export const userDayList = list({
  title: '按人按日', row: UserDayRow, key: 'day_key', is_about_people: true,
  columns: {
    date: { label: '日期', width: 104, kind: 'day' },
    user_name: { label: '姓名', width: 84, text: row => row.user_name ?? '已注销人员' },
    user_no: { label: '编号', width: 104 },
    dept_name: { label: '部门（当时）', width: 128 },
    first_in: { label: '首次进', width: 148, kind: 'second' },
    last_out: { label: '末次出', width: 148, kind: 'second' },
    in_count: { label: '进', width: 56, kind: 'number' },
    out_count: { label: '出', width: 56, kind: 'number' },
    denied_count: { label: '被拒', width: 64, kind: 'number' },
    minutes_inside: { label: '在校时长', unit: '分钟', width: 104, kind: 'minutes' },
    flags: { label: '标记', width: 160, text: row => flagTexts(row.flags).join('、') },
  },
  filters: { keyword: keyword('姓名/编号'), dept_id: reference('部门', 'people.dept', DeptId), from: firstDay('日期', 'to'), to: lastDay(), user_id: carried('', UserId) },
})

const people_measures = {
  people: count('人数', '人'), in_count: sum('进', '次'), out_count: sum('出', '次'), denied_count: sum('被拒', '次'), no_exit: count('未见离校', '人次'), no_entry: count('未见进校', '人次'),
}
/** Of people of the school: departments by day. */
export const deptTurnover = report({
  title: '进出汇总',
  keys: { date: { label: '日期', kind: 'day', width: 112, value: Day }, row_dept_id: { label: '', value: DeptId.nullable(), hidden: true }, dept_name: { label: '部门（当时）', width: 200, value: z.string().nullable() } },
  measures: people_measures,
  filters: { dept_id: reference('部门', 'people.dept', DeptId) },
  range: { most_days, usual: 'week' },
  is_about_people: true,
})

/** Of strangers and visitors, who have no department: doors by day. */
export const placeTurnover = report({
  title: '进出汇总',
  keys: { date: { label: '日期', kind: 'day', width: 112, value: Day }, row_place_id: { label: '', value: PlaceId.nullable(), hidden: true }, place_name: { label: '门', width: 240, value: z.string().nullable() } },
  measures: { passes: count('次数'), in_count: sum('进', '次'), out_count: sum('出', '次'), denied_count: sum('被拒', '次') },
  filters: { place_id: reference('门', 'places.place', PlaceId) },
  range: { most_days, usual: 'week' },
})

const view = { need: 'access.report.view' } as const
const look = { reads: true, unlogged: '报表查询' } as const
const exported = { need: 'access.report.export' } as const

/** The report of one kind of people of the school (chapter 35 §4): passes, people by day, departments by day. */
function peopleTurnover<K extends TurnoverKind>(kind: K) {
  const within = kind === 'student' ? ('student_dept' as const) : ('staff_dept' as const)
  return api('web', `access.${kind}_turnover`, {
    page: post(`${kind}/turnover/page`, { body: passList.query, reply: passList.reply, ...look, ...view, within }),
    day: post(`${kind}/turnover/day`, { body: userDayList.query, reply: userDayList.reply, ...look, ...view, within }),
    summary: post(`${kind}/turnover/summary`, { body: deptTurnover.query, reply: deptTurnover.reply, ...look, ...view, within }),
    export: exportOf(passList, `${kind}/turnover/export`, { ...exported, within }),
    exportDay: exportOf(userDayList, `${kind}/turnover/day/export`, { ...exported, within }),
    exportSummary: exportOf(deptTurnover.sheet, `${kind}/turnover/summary/export`, { ...exported, within }),
  })
}

/** The same of those who have no department: seen by whoever sees the door. */
function doorTurnover<K extends TurnoverKind>(kind: K) {
  return api('web', `access.${kind}_turnover`, {
    page: post(`${kind}/turnover/page`, { body: passList.query, reply: passList.reply, ...look, ...view, within: 'place' }),
    summary: post(`${kind}/turnover/summary`, { body: placeTurnover.query, reply: placeTurnover.reply, ...look, ...view, within: 'place' }),
    export: exportOf(passList, `${kind}/turnover/export`, { ...exported, within: 'place' }),
    exportSummary: exportOf(placeTurnover.sheet, `${kind}/turnover/summary/export`, { ...exported, within: 'place' }),
  })
}

export const studentTurnoverApi = peopleTurnover('student')
export const teacherTurnoverApi = peopleTurnover('teacher')
export const strangerTurnoverApi = doorTurnover('stranger')
export const visitorTurnoverApi = doorTurnover('visitor')

/** Reads the journal of some days again and computes their days anew (chapter 35 R37): what is there stays the same. */
export const turnoverApi = api('web', 'access.turnover', {
  rebuild: post('turnover/rebuild', { body: z.strictObject({ from: Day, to: Day }), reply: z.object({ read: z.number().int(), days: z.number().int() }), op: 4, need: 'access.report.rebuild' }),
})
