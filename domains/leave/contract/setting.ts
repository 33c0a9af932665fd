import { api, Done, get, post } from '@kit/contract'
import { z } from 'zod'

/** Rules of a school that hold for all its forms (chapter 70 §1.1 leave_setting). */
export const LeaveSetting = z.object({
  /** pupils from this grade on ask for themselves; null: guardians alone ask */
  student_apply_from_grade: z.string().max(2).nullable(),
  pause_during_exam: z.boolean(),
  void_days: z.number().int().min(1, { error: '不能少于1天' }).max(180, { error: '不能超过180天' }),
  row_version: z.number().int(),
})
export type LeaveSetting = z.output<typeof LeaveSetting>

export const leaveSettingApi = api('leave', 'leave.setting', {
  read: get('setting/read', { reply: LeaveSetting, need: 'leave.form.view', within: 'school' }),
  write: post('setting/write', { body: LeaveSetting, reply: Done, op: 4, need: 'leave.form.edit', within: 'school' }),
})
