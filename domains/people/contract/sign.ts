import { JobNo } from '@campus/jobs/contract'
import { api, filter, get, id, Instant, page, PageQuery, post, sheet } from '@kit/contract'
import { z } from 'zod'
import { DeptId } from './dept.ts'
import { pay_channels } from './pay-channel.ts'
import { UserId } from './student.ts'

/** Contracts in one call of terminating. */
export const most_terminated = 200
export const sign_products = ['quick_pay', 'auto_recharge'] as const
/** `unsigned` is a person without a contract that holds; `check`: the channel has not answered a termination for a day. */
export const sign_states = ['unsigned', 'signing', 'signed', 'terminating', 'check', 'terminated', 'failed'] as const

const SignId = id('people.sign_contract')

/** A contract, or with `sign_id` null a person who has none. */
export const SignRow = z.object({
  /** names the row: a contract, or a person */
  row_id: z.string(),
  sign_id: SignId.nullable(),
  user_id: UserId,
  user_name: z.string(),
  user_no: z.string(),
  /** the class or department of today; empty for whoever left */
  dept_name: z.string(),
  signer_name: z.string().nullable(),
  channel: z.enum(pay_channels).nullable(),
  product: z.enum(sign_products).nullable(),
  /** masked */
  contract_no: z.string().nullable(),
  signed_at: Instant.nullable(),
  state: z.enum(sign_states),
  /** what the payment channel said, or what the row waits for */
  fail_msg: z.string().nullable(),
})
export type SignRow = z.output<typeof SignRow>

const Asked = {
  keyword: filter(z.string().max(50)),
  /** the department with everything below it */
  dept_id: filter(DeptId),
  channel: filter(z.enum(pay_channels)),
  product: filter(z.enum(sign_products)),
  state: filter(z.enum(sign_states)),
}
const SignQuery = PageQuery.extend(Asked)
const SignExport = z.object({ ...Asked, reason: z.string().trim().max(200).default('') })

/** People of one grade (or of the whole staff, `dept_id` null) by how they stand; nobody is counted twice. */
export const SignGroup = z.object({ dept_id: DeptId.nullable(), name: z.string(), signed: z.number().int(), terminating: z.number().int(), unsigned: z.number().int() })
export type SignGroup = z.output<typeof SignGroup>
const Groups = z.object({ list: z.array(SignGroup) })

const pupils = { need: 'people.sign.view', within: 'student_dept' } as const
const staff = { need: 'people.sign.view', within: 'staff_dept' } as const

/** Payment agreements of pupils and staff (chapter 20 §4 Signing). */
export const signApi = api('pay', 'people.sign', {
  students: post('sign/student-parent', { reads: true, body: SignQuery, reply: page(SignRow), op: 13, ...pupils }),
  teachers: post('sign/teacher', { reads: true, body: SignQuery, reply: page(SignRow), op: 13, ...staff }),
  studentStat: get('sign/student-parent/stat', { reply: Groups, ...pupils }),
  teacherStat: get('sign/teacher/stat', { reply: Groups, ...staff }),
  exportStudents: post('sign/student-parent/export', { body: SignExport, reply: sheet, need: 'people.sign.export', within: 'student_dept', op: 7 }),
  exportTeachers: post('sign/teacher/export', { body: SignExport, reply: sheet, need: 'people.sign.export', within: 'staff_dept', op: 7 }),
  terminate: post('mini/quick/terminate', {
    body: z.strictObject({
      sign_ids: z.array(SignId).min(1, { error: '请选择签约' }).max(most_terminated, { error: `一次最多解约${most_terminated}份` }),
      reason: z.string().trim().min(1, { error: '请填写原因' }).max(100, { error: '超过100个字' }),
    }),
    reply: z.object({ job_no: JobNo }),
    need: 'people.sign.terminate',
    within: 'dept',
    op: 4,
  }),
  /** Reminds everybody of the scope (and of a department) who has not signed: guardians of pupils, staff themselves; once a day. */
  remind: post('sign/remind', {
    body: z.strictObject({ who: z.enum(['student', 'staff']), dept_id: DeptId.optional() }),
    reply: z.object({ people: z.number().int(), told: z.number().int() }),
    need: 'people.sign.terminate',
    within: 'dept',
    op: 4,
  }),
})
