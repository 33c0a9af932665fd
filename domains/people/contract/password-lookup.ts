import { api, post } from '@kit/contract'
import { z } from 'zod'

/** Whose password is asked about. */
export const password_kinds = { teacher: '教职工', parent: '家长', student: '学生' } as const
const kinds = ['teacher', 'parent', 'student'] as const

/** How the password of somebody stands; never a password. */
export const PasswordLine = z.object({ user_name: z.string(), kind: z.enum(kinds), is_default: z.boolean(), rule_text: z.string() })
export type PasswordLine = z.output<typeof PasswordLine>

/** Most people of one number; a family has no more. */
export const most_lines = 20

/** Whether whoever has this number still has the password he was given (chapter 20 rule 24); names masked, one captcha for each question. */
export const passwordLookupApi = api('web', 'people.password_lookup', {
  byPhone: post('userInfo/default_pwd/:kind/by_phone', {
    params: z.object({ kind: z.enum(kinds) }),
    body: z.strictObject({ phone: z.string().trim().regex(/^1[3457689][0-9]{9}$/, { error: '手机号格式不正确' }), cap_key: z.uuid(), cap_value: z.string().trim().min(1, { error: '请输入验证码' }).max(10) }),
    reply: z.object({ list: z.array(PasswordLine).max(most_lines) }),
    need: 'people.password.lookup',
    within: 'student_dept',
    op: 13,
  }),
})
