import { sub_app_codes } from '@campus/school/contract'
import { api, del, Done, get, id, post, put } from '@kit/contract'
import { z } from 'zod'
import { AppKindSchema, AppModuleSchema } from './app-role.ts'
import { RoleName } from './role.ts'

const GroupId = id('identity.role_group')
const most_groups = 200

/** Modules with which a new role of the group begins, in their order. */
const Modules = z
  .array(AppModuleSchema)
  .max(sub_app_codes.length)
  .refine(codes => new Set(codes).size === codes.length, { error: '模块重复' })

/** A group of app roles with the roles that stand in it. */
export const AppRoleGroupRow = z.object({
  role_group_id: GroupId,
  code: z.string(),
  name: z.string(),
  client_kind: AppKindSchema,
  is_system: z.boolean(),
  order: z.number().int(),
  row_version: z.number().int(),
  roles: z.array(z.object({ role_id: id('identity.role'), name: z.string(), enabled: z.boolean() })),
  modules: z.array(AppModuleSchema),
})
export type AppRoleGroupRow = z.output<typeof AppRoleGroupRow>

export const AppRoleGroupDraft = z.strictObject({ client_kind: AppKindSchema, name: RoleName, modules: Modules.default([]) })
export const AppRoleGroupPatch = z.strictObject({ row_version: z.number().int(), name: RoleName.optional(), modules: Modules.optional() })

const Saved = z.object({ role_group_id: GroupId, row_version: z.number().int() })
const view = { need: 'identity.app_role.view', within: 'school' } as const
const edit = { need: 'identity.app_role.edit', within: 'school' } as const
const byId = z.object({ id: GroupId })

/** Groups of app roles; `offered` are the modules a client of the kind may show here. */
export const appRoleGroupApi = api('v2', 'identity.app_role_group', {
  list: get('regulate/module/role_group/list', {
    query: z.object({ client_kind: AppKindSchema }),
    reply: z.object({ list: z.array(AppRoleGroupRow), offered: z.array(AppModuleSchema) }),
    ...view,
  }),
  create: post('regulate/module/role_group/create', { body: AppRoleGroupDraft, reply: Saved, ...edit }),
  update: put('regulate/module/role_group/update/:id', { params: byId, body: AppRoleGroupPatch, reply: Saved, ...edit }),
  remove: del('regulate/module/role_group/delete/:id', { params: byId, reply: Done, ...edit }),
  /** all groups of a kind in their new order */
  sort: post('regulate/module/role_group/sort', { body: z.strictObject({ client_kind: AppKindSchema, role_group_ids: z.array(GroupId).min(1).max(most_groups) }), reply: Done, ...edit, op: 4 }),
})
