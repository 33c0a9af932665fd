import { api, filled, filter, get, Instant, page, PageQuery, post, put, SchoolId, sheet } from '@kit/contract'
import { checkAccount } from '@kit/contract/checks'
import { z } from 'zod'
import { SchoolClosing } from './closing.ts'

/** States of a school (chapter 10 §2): preparing → active ⇄ suspended → closed. */
export const school_states = { preparing: 1, active: 2, suspended: 3, closed: 4 } as const
export const school_state_names: Readonly<Record<number, string>> = { 1: '筹备中', 2: '使用中', 3: '已停用', 4: '已关闭' }
export const school_type_names: Readonly<Record<number, string>> = { 1: '学校', 2: '企业' }

const name = filled({ kind: 'no_special', max: 30 })
const most_id = 2_147_483_647
/** Longest account that can be typed on the login page (P2); the first administrator must type his. */
const typed_account = 11
/** The longest name an account can have at all. */
const longest_account = 30

/** Proof of the caller's password typed again (userInfo/check_self_password). */
const recheck_token = z.string().min(1).max(100)

/** A school as the platform sees it. `online`: people with a live session; `storage_bytes`: what its files weigh, at most ten minutes old. */
export const SchoolListRow = z.object({
  school_id: z.number().int(),
  school_name: z.string(),
  school_type: z.number().int(),
  state: z.number().int(),
  state_at: Instant,
  people: z.number().int(),
  online: z.number().int(),
  last_login_at: Instant.nullable(),
  storage_bytes: z.number().int(),
  row_version: z.number().int(),
})
export type SchoolListRow = z.output<typeof SchoolListRow>

/** A school to be made, with its first administrator. Without `school_id` it gets the next free number. */
export const SchoolNew = z.strictObject({
  school_id: z.number().int().min(1).max(most_id, '学校编号不正确').optional(),
  school_name: name,
  school_type: z.union([z.literal(1), z.literal(2)]),
  admin_name: filled({ kind: 'name', max: 50 }),
  admin_account: filled({ kind: 'text', max: longest_account }).superRefine((value, ctx) => {
    const msg = value === '' ? null : (checkAccount(value) ?? (value.length > typed_account ? '超过11位的账号不能在登录页手工输入' : null))
    if (msg !== null) ctx.addIssue({ code: 'custom', message: msg })
  }),
  recheck_token,
})

const reason = filled({ kind: 'text', max: 60 })
const Changed = z.object({ school_id: z.number().int(), state: z.number().int(), sessions_ended: z.number().int() })
const params = z.object({ id: SchoolId })
const need = 'school.school.manage'

const SchoolFilter = z.object({ keyword: z.string().max(60).optional(), school_type: filter(z.coerce.number().int().min(1).max(2)), state: filter(z.coerce.number().int().min(1).max(4)) })

/** The super user's schools (chapter 10 §4). The code is the platform's: no role of a school can hold it. */
export const schoolManageApi = api('web', 'school.school_manage', {
  page: get('supreme/school/page', {
    query: PageQuery.extend(SchoolFilter.shape),
    reply: page(SchoolListRow),
    need,
  }),
  export: post('supreme/school/export', { body: SchoolFilter, reply: sheet, need, op: 7 }),
  add: post('supreme/school/add', {
    body: SchoolNew,
    /** `password` is shown this once; the first login asks for another one */
    reply: z.object({ school_id: z.number().int(), admin_account: z.string(), password: z.string() }),
    need,
  }),
  update: put('supreme/school/:id', { params, body: z.strictObject({ school_name: name, row_version: z.number().int() }), reply: z.object({ school_id: z.number().int(), school_name: z.string(), row_version: z.number().int() }), need }),
  suspend: post('supreme/school/:id/suspend', { params, body: z.strictObject({ reason, recheck_token }), reply: Changed, need, op: 4 }),
  resume: post('supreme/school/:id/resume', { params, body: z.strictObject({ reason, recheck_token }), reply: Changed, need, op: 4 }),
  closing: get('supreme/school/:id/closing', { params, reply: SchoolClosing, need }),
  close: post('supreme/school/:id/close', { params, body: z.strictObject({ reason, school_name: z.string().max(60), recheck_token }), reply: Changed, need, op: 4 }),
})
