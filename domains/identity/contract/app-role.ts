import { sub_app_codes } from '@campus/school/contract'
import { api, del, Done, filter, get, id, page, PageQuery, post, put } from '@kit/contract'
import { z } from 'zod'
import { app_kinds } from './app-role-module.ts'
import { RoleMatrix, RoleName } from './role.ts'

const RoleId = id('identity.role')
const GroupId = id('identity.role_group')
const UserId = id('identity.account')
const DeptId = id('people.dept')

/** Most things of one binding call (chapter 10 §4). */
export const most_bound = 500
const most_order = 9999

export const AppKindSchema = z.enum(app_kinds)
export const AppModuleSchema = z.enum(sub_app_codes)
const Version = z.number().int()

/** A module of a role at its place; hidden ones keep theirs. */
const RoleModule = z.object({ module_code: AppModuleSchema, visible: z.boolean(), order: z.number().int() })

/** An app role as the list shows it. `user_count`: people named one by one; `dept_count` and `group_count`: bindings that reach people by what they are. */
export const AppRoleRow = z.object({
  role_id: RoleId,
  code: z.string(),
  name: z.string(),
  role_group_id: GroupId,
  group_name: z.string(),
  client_kind: AppKindSchema,
  is_system: z.boolean(),
  enabled: z.boolean(),
  row_version: z.number().int(),
  modules: z.array(RoleModule),
  permission_count: z.number().int(),
  user_count: z.number().int(),
  /** reaches everybody of its kind */
  is_for_all: z.boolean(),
  dept_count: z.number().int(),
  group_count: z.number().int(),
})
export type AppRoleRow = z.output<typeof AppRoleRow>

const Named = z.object({ id: z.string(), name: z.string() })

/** `offered`: modules this client may show here, in the product's order; those of `modules` that are missing are not licensed any more. */
export const AppRoleView = AppRoleRow.extend({ offered: z.array(AppModuleSchema), depts: z.array(Named), role_groups: z.array(Named) })
export type AppRoleView = z.output<typeof AppRoleView>

export const AppRoleDraft = z.strictObject({ name: RoleName, role_group_id: GroupId, enabled: z.boolean().default(true) })
export const AppRolePatch = z.strictObject({ row_version: Version, name: RoleName.optional(), role_group_id: GroupId.optional(), enabled: z.boolean().optional() })

const Saved = z.object({ role_id: RoleId, row_version: Version })

/** What became of one thing of a call; `error` null = done. */
export const BindOutcome = z.object({ id: z.string(), name: z.string().nullable(), error: z.string().nullable() })
export type BindOutcome = z.output<typeof BindOutcome>
const Bound = z.object({ row_version: Version, done: z.number().int(), list: z.array(BindOutcome) })

const many = <T extends z.core.$ZodType>(item: T) => z.array(item).min(1).max(most_bound, { error: `一次最多${most_bound}项` })
/** `row_version`, where it is given, must be the one of now. */
const which = { role_id: RoleId, row_version: Version.optional() }
const OfUsers = z.strictObject({ ...which, user_ids: many(UserId) })
const OfGroups = z.strictObject({ ...which, role_group_ids: many(GroupId) })
const OfDepts = z.strictObject({ ...which, dept_ids: many(DeptId) })
/** Without an order a module comes last. */
const OfModules = z.strictObject({
  ...which,
  modules: many(z.strictObject({ module_code: AppModuleSchema, visible: z.boolean().default(true), order: z.number().int().min(0).max(most_order).optional() })),
})

/** By what somebody is reached; not `all`, which as a filter means any. */
export const reach_ways = ['user', 'dept', 'role_group', 'everyone'] as const
export type ReachWay = (typeof reach_ways)[number]

/** Whom the role would reach with changes nobody has saved yet: people added and removed one by one, and the bindings as they would be (absent = as they are). */
const ReachQuery = PageQuery.extend({
  role_id: RoleId,
  add_user_ids: z.array(UserId).max(most_bound).default([]),
  drop_user_ids: z.array(UserId).max(most_bound).default([]),
  dept_ids: z.array(DeptId).max(most_bound).optional(),
  role_group_ids: z.array(GroupId).max(most_bound).optional(),
  is_for_all: z.boolean().optional(),
  way: filter(z.enum(reach_ways)),
  keyword: filter(z.string().trim().max(50)),
})
const ReachRow = z.object({ user_id: UserId, user_no: z.string(), user_name: z.string(), dept_name: z.string().nullable(), ways: z.array(z.enum(reach_ways)) })
export type ReachRow = z.output<typeof ReachRow>

/** `reached`: people with the changes; `reached_now`: as it is saved; `by`: how many each way reaches, somebody may be reached by several. The list holds those the reader may see. */
export const ReachReply = page(ReachRow).extend({
  reached: z.number().int(),
  reached_now: z.number().int(),
  by: z.object({ user: z.number().int(), dept: z.number().int(), role_group: z.number().int(), everyone: z.number().int() }),
})
export type ReachReply = z.output<typeof ReachReply>

/** Permissions of an app role; `reached`: how many people a change touches. */
export const AppMatrix = RoleMatrix.pick({ role_id: true, role_name: true, version: true, modules: true }).extend({ reached: z.number().int() })
export type AppMatrix = z.output<typeof AppMatrix>
const Codes = z.array(z.string().max(80)).max(1000).default([])

const view = { need: 'identity.app_role.view', within: 'school' } as const
const edit = { need: 'identity.app_role.edit', within: 'school' } as const
const grant = { ...edit, op: 9 } as const
/** People are given something: only those the caller reaches. */
const reached = { need: 'identity.app_role.edit', within: 'dept', op: 9 } as const
const byId = z.object({ id: RoleId })

/** Roles of the app clients (chapter 10 §4, regulate/module/role). */
export const appRoleApi = api('v2', 'identity.app_role', {
  list: get('regulate/module/role/list', { query: z.object({ client_kind: AppKindSchema, keyword: filter(z.string().trim().max(50)) }), reply: z.object({ list: z.array(AppRoleRow) }), ...view }),
  one: get('regulate/module/role/detail/:id', { params: byId, reply: AppRoleView, ...view }),
  create: post('regulate/module/role/create', { body: AppRoleDraft, reply: Saved, ...edit }),
  update: put('regulate/module/role/update/:id', { params: byId, body: AppRolePatch, reply: Saved, ...edit }),
  remove: del('regulate/module/role/delete/:id', { params: byId, reply: Done, ...edit }),
  bindUser: post('regulate/module/role/bind_user', { body: OfUsers, reply: Bound, ...reached }),
  unbindUser: post('regulate/module/role/unbind_user', { body: OfUsers, reply: Bound, ...grant }),
  bindModule: post('regulate/module/role/bind_module', { body: OfModules, reply: Bound, ...grant }),
  unbindModule: post('regulate/module/role/unbind_module', { body: z.strictObject({ ...which, module_codes: many(AppModuleSchema) }), reply: Bound, ...grant }),
  bindRoleGroup: post('regulate/module/role/bind_role_group', { body: OfGroups, reply: Bound, ...grant }),
  unbindRoleGroup: post('regulate/module/role/unbind_role_group', { body: OfGroups, reply: Bound, ...grant }),
  /** departments with everything below them */
  bindDept: post('regulate/module/role/bind_dept', { body: OfDepts, reply: Bound, ...grant }),
  unbindDept: post('regulate/module/role/unbind_dept', { body: OfDepts, reply: Bound, ...grant }),
  /** everybody of the role's kind, or no longer */
  bindAll: post('regulate/module/role/bind_all', { body: z.strictObject({ ...which, is_for_all: z.boolean() }), reply: z.object({ row_version: Version }), ...grant }),
  reach: post('regulate/module/role/reach', { reads: true, body: ReachQuery, reply: ReachReply, need: 'identity.app_role.view', within: 'dept', op: 13 }),
  matrix: get('regulate/module/role/matrix/:id', { params: byId, reply: AppMatrix, ...edit }),
  saveMatrix: post('regulate/module/role/opt_matrix', {
    body: z.strictObject({ role_id: RoleId, version: Version, grant: Codes, revoke: Codes }),
    reply: z.object({ version: Version, granted: z.array(z.string()), revoked: z.array(z.string()) }),
    ...grant,
  }),
})
