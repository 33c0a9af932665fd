import { DeptId, UserId } from '@campus/people/contract'
import { PlaceId } from '@campus/places/contract'
import {
  api,
  carried,
  choice,
  Day,
  Done,
  exportOf,
  firstDay,
  flag,
  get,
  Instant,
  keyword,
  lastDay,
  list,
  post,
  reference,
} from '@kit/contract'
import { z } from 'zod'
import { event_source_names } from './detail.ts'
import { export_needs, view_needs } from './gather.ts'
import { who_names } from './result-filters.ts'
import type { Who } from './result-filters.ts'
import { ATTEND_WAY } from './state.ts'

/** What an original record was used for, or why not (chapter 55 §5). */
export const match_names = {
  used: '已采用',
  repeat: '重复已合并',
  room: '非本教室',
  time: '不在时段',
  none: '无课',
  voided: '已作废',
  clock: '时钟异常',
} as const
const direction_names = { '1': '进', '2': '出', '0': '未知' } as const
const time_state_names = { '0': '正常', '1': '已校正', '2': '不可用' } as const

/** Names one claim. */
const EventKey = z.object({ event_date: Day, source: z.number().int().min(1).max(6), source_key: z.string().min(1).max(80) })

export const EventRow = z.object({
  event_key: z.string(),
  ...EventKey.shape,
  at: Instant,
  device_time: Instant.nullable(),
  received_at: Instant,
  time_state: z.number().int(),
  user_id: UserId,
  user_name: z.string(),
  user_no: z.string().nullable(),
  dept_name: z.string().nullable(),
  place_id: PlaceId.nullable(),
  place_name: z.string().nullable(),
  device_name: z.string().nullable(),
  direction: z.number().int(),
  identify_type: z.number().int().nullable(),
  match: z.enum(['used', 'repeat', 'room', 'time', 'none', 'voided', 'clock']),
  section: z.number().int().nullable(),
  lesson_date: Day.nullable(),
  occurrence_id: z.string().nullable(),
  expect_kind: z.number().int().nullable(),
})
export type EventRow = z.output<typeof EventRow>

/** 原始打卡记录: every claim as it came. */
export const eventList = list({
  title: '原始打卡记录',
  row: EventRow,
  key: 'event_key',
  is_about_people: true,
  columns: {
    at: { label: '打卡时间', width: 148, kind: 'second' },
    user_name: { label: '姓名', width: 80 },
    user_no: { label: '学号/工号', width: 104 },
    dept_name: { label: '班级/部门', width: 112 },
    place_name: { label: '考勤点', width: 128 },
    device_name: { label: '设备', width: 112 },
    direction: { label: '方向', width: 56, names: direction_names },
    identify_type: { label: '识别方式', width: 84, names: ATTEND_WAY.names },
    source: { label: '来源', width: 80, names: event_source_names },
    match: { label: '匹配', width: 120, text: matchText },
    time_state: { label: '时钟', width: 72, names: time_state_names },
    received_at: { label: '服务器收到', width: 148, kind: 'second' },
  },
  filters: {
    keyword: keyword('姓名/编号'),
    dept_id: reference('班级/部门', 'people.dept', DeptId),
    classroom: reference('考勤点', 'places.place', PlaceId),
    identify_type: choice('识别方式', ATTEND_WAY.names),
    matched: flag('匹配', { 1: '已匹配', 0: '未匹配' }),
    clock: choice('时钟', time_state_names),
    from: firstDay('日期', 'to'),
    to: lastDay(),
    user_id: carried('', UserId),
  },
})
export type EventQuery = z.output<typeof eventList.query>

/** 第3节, or why the record counts for nothing. */
export function matchText({ match, section }: Pick<EventRow, 'match' | 'section'>): string {
  return match === 'used' && section !== null ? `第${section}节` : match_names[match]
}

function originalApiOf<W extends Who>(who: W) {
  return api('v2', `attendance.${who}_original`, {
    page: get(`course_attend/${who}/original/page`, {
      query: eventList.query,
      reply: eventList.reply,
      need: view_needs[who],
      within: 'dept',
    }),
    export: exportOf({ ...eventList, title: `${who_names[who]}原始打卡记录` }, `course_attend/${who}/original/export`, {
      need: export_needs[who],
      within: 'dept',
    }),
  })
}
export const studentOriginalApi = originalApiOf('student')
export const teacherOriginalApi = originalApiOf('teacher')

const Reason = z.string({ error: '请填写理由' }).trim().min(2, { error: '请填写理由' }).max(200, { error: '超过200个字' })
/** A wrong claim (twin, lent card) is voided and may count again later; the claim itself stays as it came. */
export const attendEventApi = api('v2', 'attendance.event', {
  void: post('attend/event/void', {
    body: z.strictObject({ ...EventKey.shape, reason: Reason }),
    reply: Done,
    op: 4,
    need: 'attendance.event.void',
    within: 'school',
  }),
  unvoid: post('attend/event/unvoid', {
    body: z.strictObject(EventKey.shape),
    reply: Done,
    op: 4,
    need: 'attendance.event.void',
    within: 'school',
  }),
})
