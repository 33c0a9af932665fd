import { api, get, put } from '@kit/contract'
import { z } from 'zod'

const whole = (least: number, most: number) =>
  z
    .number({ error: '请填写整数' })
    .int({ error: '请填写整数' })
    .min(least, { error: `不能小于${least}` })
    .max(most, { error: `不能大于${most}` })
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: '请选择时间' })

/** What a school says of its attendance (chapter 55 §1.1 attend_setting). */
const fields = {
  lesson_hours: whole(1, 168),
  head_days: whole(1, 31),
  office_days: whole(1, 180),
  undo_days: whole(1, 31),
  settle_hours: whole(1, 168),
  consecutive_absent: whole(2, 30),
  quiet_from: clock,
  quiet_to: clock,
}
export const attend_setting_names: Readonly<Record<keyof typeof fields, string>> = {
  lesson_hours: '任课教师更正期限（小时）',
  head_days: '班主任更正和家长申诉期限（天）',
  office_days: '教务更正期限（天）',
  undo_days: '更正撤销期限（天）',
  settle_hours: '考勤结算等待（小时）',
  consecutive_absent: '连续缺勤提醒（天）',
  quiet_from: '免打扰开始',
  quiet_to: '免打扰结束',
}
/** Of a school without a row. */
export const usual_setting = {
  lesson_hours: 24,
  head_days: 3,
  office_days: 30,
  undo_days: 7,
  settle_hours: 48,
  consecutive_absent: 3,
  quiet_from: '22:00',
  quiet_to: '06:30',
}
const Saved = z.object({ ...fields, row_version: z.number().int() })
export type AttendSetting = z.output<typeof Saved>

export const attendSettingApi = api('v2', 'attendance.setting', {
  read: get('attend/setting', { reply: Saved, need: 'attendance.rule.view' }),
  save: put('attend/setting', {
    body: z.strictObject({ ...fields, row_version: z.number().int().min(0) }),
    reply: z.object({ row_version: z.number().int() }),
    need: 'attendance.rule.edit',
  }),
})
