import { UserId } from '@campus/people/contract'
import { PlaceId } from '@campus/places/contract'
import { api, Day, get, Instant, post } from '@kit/contract'
import { z } from 'zod'
import { ResultKey } from './detail.ts'

const count = z.number().int()

/** Somebody whose attendance one may look at as one's own: oneself, or one's child. */
const Subject = z.object({ user_id: UserId, user_name: z.string(), dept_name: z.string().nullable(), person_kind: count })
export type AttendSubject = z.output<typeof Subject>

/** One day of a month; `absent` and `late` count lessons and clock slots. */
const MyDate = z.object({ date: Day, expected: count, present: count, late: count, absent: count, leave: count, unverified: count })
export type MyDate = z.output<typeof MyDate>

const MyAppeal = z.object({ to_state: count, state: count, asked_at: Instant, opinion: z.string().nullable() })

/** One expectation of a day, with why it is what it is. */
const MyRow = z.object({
  ...ResultKey.shape,
  expect_kind: count,
  title: z.string(),
  begin: Instant,
  end: Instant,
  place_name: z.string().nullable(),
  state: count,
  late_min: count,
  early_min: count,
  in_at: Instant.nullable(),
  provisional: z.boolean(),
  sentence: z.string(),
  may_appeal: z.boolean(),
  appeal: MyAppeal.nullable(),
})
export type MyRow = z.output<typeof MyRow>

const own = { session: true, within: 'self' } as const

/** One's own attendance and that of one's children (chapter 55 §4, sub-applications cloudAttend and cloudStudentAttend). */
export const myAttendApi = api('v2', 'attendance.mine', {
  subjects: get('attend/my/subjects', { reply: z.object({ list: z.array(Subject) }), ...own }),
  month: get('attend/my/month', {
    query: z.object({ user_id: UserId, month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/) }),
    reply: z.object({ list: z.array(MyDate) }),
    ...own,
  }),
  day: get('attend/my/day', { query: z.object({ user_id: UserId, date: Day }), reply: z.object({ list: z.array(MyRow) }), ...own }),
})

/** A code of a place that changes every twenty seconds, and signing in by it there (chapter 55 §4). */
export const attendSignApi = api('v2', 'attendance.sign', {
  code: get('attend/point/code', {
    query: z.object({ place_id: PlaceId }),
    reply: z.object({ place_name: z.string(), code: z.string(), left_s: count }),
    need: 'attendance.point.edit',
    within: 'place',
  }),
  add: post('attend/event/qr', {
    body: z.strictObject({
      code: z
        .string()
        .trim()
        .regex(/^\d{1,18}-\d{6}$/, { error: '请输入完整的打卡码，如 1203-448120' }),
    }),
    reply: z.object({ place_name: z.string(), at: Instant, served: z.string().nullable(), hint: z.string().nullable() }),
    ...own,
  }),
})
