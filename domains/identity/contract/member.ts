import { api, Day, filter, get, id, Instant, page, PageQuery, post, sheet } from '@kit/contract'
import { z } from 'zod'
import { RoleId } from './role.ts'

const UserId = id('identity.account')
const RoleNo = id('identity.role_member')
const DeptId = id('people.dept')

/** Most people of one call (chapter 10 §4). */
export const most_members = 500
const reason_max = 100

/** A membership is in force, begins later, or is over. */
export const member_states = ['current', 'future', 'ended'] as const
/** none: no login issued; locked: too many wrong passwords; left: departed from this school. */
export const account_states = ['normal', 'none', 'disabled', 'locked', 'left'] as const
export type AccountState = (typeof account_states)[number]

/** A membership. Days are days of the school; `valid_to` is the last one, null = open. `ended_at`: the instant at which it ended or will end. */
export const Membership = z.object({
  role_no: RoleNo,
  role_id: RoleId,
  role_name: z.string(),
  /** department under which it is held; '1' = the person's own */
  user_dep: DeptId,
  user_dep_name: z.string().nullable(),
  valid_from: Day,
  valid_to: Day.nullable(),
  ended_at: Instant.nullable(),
  state: z.enum(member_states),
  /** ends within seven days */
  is_ending: z.boolean(),
  source: z.enum(['manual', 'import', 'rule', 'sync']),
  reason: z.string().nullable(),
  /** on whose behalf it is held (代办); null = for oneself */
  acted_for: UserId.nullable(),
  acted_for_name: z.string().nullable(),
  row_version: z.number().int(),
  /** last sign-in under this identity */
  last_login_at: Instant.nullable(),
  online: z.boolean(),
})
export type Membership = z.output<typeof Membership>

/** A person; `member` is his membership of the asked role, null where no role was asked for. */
export const MemberRow = z.object({
  user_id: UserId,
  user_no: z.string(),
  user_name: z.string(),
  user_photo: z.string().nullable(),
  user_kind: z.number().int(),
  dept_name: z.string().nullable(),
  account_state: z.enum(account_states),
  member: Membership.nullable(),
})
export type MemberRow = z.output<typeof MemberRow>

/**
 * With `role_id` the members of the role in `state` (default current); without it the people of the school, for choosing.
 * `keyword`: name, pinyin or its initials, number, last four digits of the mobile.
 */
export const MemberQuery = PageQuery.extend({
  role_id: filter(RoleId),
  state: filter(z.enum(member_states)),
  /** as text too, since a list is asked with what stands in the address bar */
  online: filter(z.union([z.boolean(), z.literal([0, 1, '0', '1'])]).transform(value => value === true || Number(value) === 1)),
  keyword: filter(z.string().trim().max(50)),
  /** the department with everything below it */
  dept_id: filter(DeptId),
})

/** Filters of the exported members of a role; `reason` is asked for above 1,000 rows (J3). */
const MemberExport = MemberQuery.omit({ page_index: true, page_size: true }).extend({ role_id: RoleId, reason: z.string().trim().max(reason_max, { error: `超过${reason_max}个字` }).default('') })

const Dates = { valid_from: Day.optional(), valid_to: Day.nullable().optional() }
const Reason = z.string().trim().max(reason_max, { error: `超过${reason_max}个字` }).optional()

/** `valid_from` default: now. `valid_to`: the last day; absent or null = open. */
export const MemberDraft = z.strictObject({
  role_id: RoleId,
  users: z.array(z.strictObject({ user_id: UserId, user_dep: DeptId.default('1') })).min(1).max(most_members, { error: `一次最多${most_members}人` }),
  ...Dates,
  reason: Reason,
})
export type MemberDraft = z.output<typeof MemberDraft>

/** A membership that has begun keeps its first day. */
export const MemberPatch = z.strictObject({ role_no: RoleNo, row_version: z.number().int(), ...Dates, reason: Reason })
export type MemberPatch = z.output<typeof MemberPatch>

/** What became of each person of a call; `error` null = done. */
export const MemberOutcome = z.object({ user_id: UserId, user_name: z.string().nullable(), role_no: RoleNo.nullable(), error: z.string().nullable() })
export type MemberOutcome = z.output<typeof MemberOutcome>

/** Who held a role at some time of a day (chapter 10 B3). */
export const HolderRow = z.object({ role_no: RoleNo, user_id: UserId, user_no: z.string(), user_name: z.string(), valid_from: Day, valid_to: Day.nullable(), ended_at: Instant.nullable() })

/** Who stands in for a membership and until when (the last day); `valid_from` default: now (chapter 10 B4). */
const SubstituteDraft = z.strictObject({
  role_no: RoleNo,
  user_id: UserId,
  valid_from: Day.optional(),
  valid_to: Day,
  reason: Reason,
})

/** Members of roles (chapter 10 §4 roleAuth, user/users/list). */
export const memberApi = api('web', 'identity.member', {
  list: post('user/users/list', { reads: true, body: MemberQuery, reply: page(MemberRow), need: 'identity.member.view', within: 'dept', op: 13 }),
  holders: get('roleAuth/holders', {
    query: PageQuery.extend({ role_id: RoleId, on: Day }),
    reply: page(HolderRow),
    need: 'identity.member.view',
    within: 'dept',
  }),
  export: post('roleAuth/export', { body: MemberExport, reply: sheet, need: 'identity.member.export', within: 'dept', op: 7 }),
  add: post('roleAuth/add', { body: MemberDraft, reply: z.object({ added: z.number().int(), list: z.array(MemberOutcome) }), need: 'identity.member.edit', within: 'dept', op: 9 }),
  /** lets somebody act for the holder of a membership until a day; every act under it is marked 代办 */
  substitute: post('roleAuth/substitute', { body: SubstituteDraft, reply: Membership.pick({ role_no: true, valid_from: true, valid_to: true }), need: 'identity.member.edit', within: 'dept', op: 9 }),
  update: post('roleAuth/update', { body: MemberPatch, reply: Membership.pick({ role_no: true, valid_from: true, valid_to: true, row_version: true }), need: 'identity.member.edit', within: 'school', op: 9 }),
  /** ends memberships now; one that has not begun yet is taken back */
  remove: post('roleAuth/delete', {
    body: z.strictObject({ role_nos: z.array(RoleNo).min(1).max(most_members), reason: Reason }),
    reply: z.object({ ended: z.number().int(), sessions: z.number().int() }),
    need: 'identity.member.edit',
    within: 'school',
    op: 9,
  }),
})
