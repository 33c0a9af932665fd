import { api, Day, filter, get, id, Instant, page, PageQuery, post, put } from '@kit/contract'
import { z } from 'zod'
import { DeptId } from './dept.ts'
import { UserId } from './student.ts'

/** Days of the longest delegation (chapter 20 §1.1). */
export const most_delegate_days = 90
export const delegate_code = 'people.delegate.edit'
export const delegate_states = ['ahead', 'live', 'over', 'revoked'] as const

const DelegationId = id('people.delegate_dept')

const reason = z.string().trim().max(100, { error: '超过100个字' })
/** "Act for this department until then": without `valid_from` from now on; `valid_to` is the last day. Without `from_user_id`: on behalf of oneself. */
export const DelegationDraft = z.strictObject({
  dept_id: DeptId,
  from_user_id: UserId.optional(),
  to_user_id: UserId,
  valid_from: Day.optional(),
  valid_to: Day,
  reason: reason.optional(),
})

export const DelegationRow = z.object({
  id: DelegationId,
  dept_id: DeptId,
  dept_name: z.string(),
  from_user_id: UserId,
  from_user_name: z.string(),
  to_user_id: UserId,
  to_user_name: z.string(),
  valid_from: Day,
  /** the last day */
  valid_to: Day,
  reason: z.string().nullable(),
  state: z.enum(delegate_states),
  revoked_at: Instant.nullable(),
  row_version: z.number().int(),
})
export type DelegationRow = z.output<typeof DelegationRow>

const DelegationPatch = z
  .strictObject({ row_version: z.number().int(), valid_to: Day.optional(), revoke: z.literal(true).optional() })
  .refine(({ valid_to, revoke }) => (valid_to === undefined) !== (revoke === undefined), { path: ['valid_to'], error: '请选择新的结束日期，或撤销委托' })
const MyDelegation = DelegationRow.pick({ id: true, dept_id: true, dept_name: true, from_user_name: true, valid_to: true })
const edit = { need: delegate_code, within: 'dept' } as const
const Changed = z.object({ id: DelegationId, row_version: z.number().int() })

/** Delegations of departments (chapter 20 §4): of the whole school, or those of one's own duties. */
export const delegateApi = api('v2', 'people.delegate', {
  list: get('delegate/school-dept/list', { query: PageQuery.extend({ state: filter(z.enum(delegate_states)) }), reply: page(DelegationRow), ...edit }),
  add: post('delegate/school-dept/add', { body: DelegationDraft, reply: Changed, ...edit }),
  update: put('delegate/school-dept/:id', { params: z.object({ id: DelegationId }), body: DelegationPatch, reply: Changed, ...edit }),
  mine: get('delegate/school-dept/mine', { reply: z.object({ list: z.array(MyDelegation) }), session: true, within: 'self' }),
})
