import { PlaceId } from '@campus/places/contract'
import { DeptId, UserId } from '@campus/people/contract'
import { api, carried, choice, Day, dictionaryCode, firstDay, get, Instant, keyword, lastDay, list, reference } from '@kit/contract'
import { z } from 'zod'

/** Rows that are counted one by one; beyond them a list says 10001 (chapter 35 R38). */
export const most_counted = 10_001
/** Days of a list of passes, and of those of one person. */
export const [most_days, most_days_of_one] = [31, 366] as const

export const pass_directions = { '1': '进', '2': '出', '0': '未知' } as const
/** What a refusal is called (PASS_STATE of chapter 35 R6). */
export const pass_reasons: Readonly<Record<number, string>> = {
  2: '无权限', 3: '不在时段', 4: '未请假', 5: '陌生人', 6: '黑名单', 9: '卡已挂失', 10: '需家长接送', 11: '次数已用完', 12: '已过期', 13: '禁行',
}
export const pass_sources = { 1: '实时', 2: '补传', 3: '人工登记', 4: '远程开门' } as const
/** Kinds of reports by their path. */
export const turnover_kinds = ['student', 'teacher', 'stranger', 'visitor'] as const
export type TurnoverKind = (typeof turnover_kinds)[number]

const DeviceId = z.string().regex(/^[0-9]{1,18}$/)
/** The key of a pass: that of the record of its device. */
export const PassKey = z.object({ event_date: Day, device_id: DeviceId, device_seq: z.string().min(1).max(80) })
const PassKeyText = z.string().regex(/^\d{4}-\d{2}-\d{2}\/\d{1,18}\/.{1,80}$/)

export const PassRow = z.object({
  pass_key: z.string(),
  ...PassKey.shape,
  ingest_seq: z.string(),
  /** when it happened; of a clock that nobody can believe, when it was told */
  at: Instant,
  received_at: Instant,
  is_time_sure: z.boolean(),
  subject_kind: z.number().int(),
  user_id: UserId.nullable(),
  user_name: z.string().nullable(),
  user_no: z.string().nullable(),
  dept_name: z.string().nullable(),
  place_id: PlaceId.nullable(),
  place_name: z.string().nullable(),
  device_name: z.string().nullable(),
  direction: z.number().int(),
  verify_mode: z.number().int(),
  result: z.number().int(),
  code_masked: z.string().nullable(),
  is_repeat: z.boolean(),
  is_late: z.boolean(),
  source: z.number().int(),
  /** of a visitor's pass */
  apply_no: z.string().nullable(),
  receiver_name: z.string().nullable(),
})
export type PassRow = z.output<typeof PassRow>

/** One list of passes for all kinds of people; each page shows its own columns. */
export const passList = list({
  title: '进出记录', row: PassRow, key: 'pass_key', is_about_people: true,
  columns: {
    at: { label: '进出时间', width: 148, kind: 'second' },
    user_name: { label: '姓名', width: 84, text: whoOf },
    user_no: { label: '编号', width: 104 },
    dept_name: { label: '部门（当时）', width: 112 },
    place_name: { label: '门', width: 112, text: row => row.place_name ?? '未绑定场所' },
    direction: { label: '方向', width: 56, names: pass_directions },
    verify_mode: { label: '方式', width: 72, dictionary: 'VERIFY_MODE' },
    result: { label: '结果', width: 84, dictionary: 'PASS_STATE' },
    device_name: { label: '设备', width: 128 },
    received_at: { label: '上传时间', width: 148, kind: 'second' },
    delay: { label: '延迟', width: 76, text: delayOf },
    source: { label: '来源', width: 72, names: pass_sources },
    code_masked: { label: '凭证', width: 96 },
    apply_no: { label: '单号', width: 120 },
    receiver_name: { label: '被访人', width: 84 },
  },
  filters: {
    keyword: keyword('姓名/编号'),
    dept_id: reference('部门', 'people.dept', DeptId),
    place_id: reference('门', 'places.place', PlaceId),
    direction: choice('方向', pass_directions),
    result: dictionaryCode('结果', 'PASS_STATE'),
    from: firstDay('日期', 'to'), to: lastDay(),
    user_id: carried('', UserId),
    /** rows behind this one, for pages further than counting goes */
    cursor: carried('', PassKeyText),
  },
})
export type PassQuery = z.output<typeof passList.query>

/** Who passed; somebody the school does not know is told by the end of his card. */
export function whoOf({ user_name, user_id, code_masked }: Pick<PassRow, 'user_name' | 'user_id' | 'code_masked'>): string {
  return user_name ?? (user_id !== null ? '已注销人员' : code_masked === null ? '陌生人' : `未知卡 ${code_masked}`)
}

function delayOf({ at, received_at, is_time_sure }: PassRow): string {
  if (!is_time_sure) return '时间异常'
  const seconds = Math.max(0, Math.round((Date.parse(received_at) - Date.parse(at)) / 1000))
  return seconds < 60 ? `${seconds}秒` : seconds < 3600 ? `${Math.floor(seconds / 60)}分` : `${Math.floor(seconds / 3600)}小时${Math.floor((seconds % 3600) / 60)}分`
}

const Detail = z.object({
  pass: PassRow,
  /** where he was before and after, the same day */
  day: z.array(PassRow),
})
export type PassDetail = z.output<typeof Detail>
/** `captured`: what the door saw; `portrait`: the photo of the archive. */
const Photo = z.object({ captured_url: z.string().nullable(), portrait_url: z.string().nullable() })

/** One pass (chapter 35 §4). */
export const passApi = api('iot', 'access.pass', {
  detail: get('pass/:event_date/:device_id/:device_seq', { params: PassKey, reply: Detail, need: 'access.pass.view', within: 'dept' }),
  /** every look is a line of the operation log */
  photo: get('pass/:event_date/:device_id/:device_seq/photo', { params: PassKey, reply: Photo, op: 13, need: 'access.pass.photo', within: 'dept' }),
})
