import { api, Done, download, filter, get, id, post } from '@kit/contract'
import { checkNoSpecial, trimName } from '@kit/contract/checks'
import { z } from 'zod'

export const RoleId = id('identity.role')
const RoleGroupId = id('identity.role_group')

/** Over which rows a role works; `custom` names departments or places, which count with everything below them. */
export const scope_kinds = ['all', 'own', 'own_below', 'class_teacher', 'teaching', 'custom', 'self', 'none'] as const
/** Chinese names of the kinds per dimension; a kind without a name does not fit that dimension. */
export const scope_names = {
  dept: { all: '全部部门', own: '本部门', own_below: '本部门及下级', class_teacher: '所带班级', teaching: '任教班级', custom: '指定部门', self: '仅本人', none: '无' },
  place: { all: '全部场所', own: '负责的场所', custom: '指定场所', none: '无' },
} as const satisfies Record<string, Partial<Record<(typeof scope_kinds)[number], string>>>
export const scope_dimensions = ['dept', 'place'] as const

const most_scope_ids = 500
/** Code of a permission, `module.noun.verb`. */
const Code = z.string().max(80)

/** Over which rows, in one dimension; ids belong to `custom` and to no other kind. */
export const RoleScope = z
  .strictObject({ kind: z.enum(scope_kinds), ids: z.array(id('identity.scope')).max(most_scope_ids).default([]) })
  .refine(scope => (scope.kind === 'custom') === scope.ids.length > 0, { error: '请选择范围' })
export type RoleScope = z.output<typeof RoleScope>

/** As it is read: `names` are the departments of a custom scope, as far as they are known. */
const ScopeView = z.object({ kind: z.enum(scope_kinds), ids: z.array(z.string()), names: z.array(z.string()) })
export type ScopeView = z.output<typeof ScopeView>
const ScopesView = z.object({ dept: ScopeView, place: ScopeView })

/** A role as the list shows it. `member_count`: people who hold it now; `online_count`: of these, signed in with it. */
export const RoleRow = z.object({
  role_id: RoleId,
  code: z.string(),
  name: z.string(),
  role_group_id: RoleGroupId,
  group_code: z.string(),
  group_name: z.string(),
  client_kind: z.string(),
  is_system: z.boolean(),
  enabled: z.boolean(),
  /** 1 = NOT allowed on the web client */
  allow_login_web: z.number().int(),
  allow_login_web_text: z.string().nullable(),
  dept_is_exact: z.number().int(),
  /** 1 = comes from outside, read-only here */
  sync_type: z.number().int(),
  /** version of the permissions, for optMatrix */
  perm_version: z.number().int(),
  row_version: z.number().int(),
  member_count: z.number().int(),
  online_count: z.number().int(),
  permission_count: z.number().int(),
  scopes: ScopesView,
  /** the role under which the caller works now: nobody edits his own */
  is_own: z.boolean(),
  /** the role of super accounts: never edited, never given */
  is_fixed: z.boolean(),
})
export type RoleRow = z.output<typeof RoleRow>

const name_max = 20
const text_max = 60

/** A name of 1 to 20 signs without special ones. */
export const RoleName = z
  .string()
  .overwrite(trimName)
  .superRefine((name, ctx) => {
    const verdict = name === '' ? '请填写名称' : [...name].length > name_max ? `超过${name_max}个字` : checkNoSpecial(name)
    if (verdict) ctx.addIssue({ code: 'custom', message: verdict })
  })

const Flag = z.union([z.literal(0), z.literal(1)])
const facts = {
  name: RoleName,
  role_group_id: RoleGroupId,
  enabled: z.boolean(),
  /** 1 = NOT allowed on the web client */
  allow_login_web: Flag,
  /** what somebody reads who is not allowed; empty = the product's own sentence */
  allow_login_web_text: z.string().trim().max(text_max, { error: `超过${text_max}个字` }).nullable(),
  dept_is_exact: Flag,
}

export const RoleDraft = z.strictObject({
  name: facts.name,
  role_group_id: facts.role_group_id,
  enabled: facts.enabled.default(true),
  allow_login_web: facts.allow_login_web.default(0),
  allow_login_web_text: facts.allow_login_web_text.default(null),
  dept_is_exact: facts.dept_is_exact.default(0),
})
export type RoleDraft = z.output<typeof RoleDraft>

/** Changed facts only. */
export const RolePatch = z.strictObject({
  role_id: RoleId,
  row_version: z.number().int(),
  name: facts.name.optional(),
  role_group_id: facts.role_group_id.optional(),
  enabled: facts.enabled.optional(),
  allow_login_web: facts.allow_login_web.optional(),
  allow_login_web_text: facts.allow_login_web_text.optional(),
  dept_is_exact: facts.dept_is_exact.optional(),
})
export type RolePatch = z.output<typeof RolePatch>

const RoleSaved = z.object({ role_id: RoleId, row_version: z.number().int() })

/** One cell of the matrix. `column`: view, add, edit, delete, import, export, audit, other. `locked` says why it may not be changed, null when it may. */
export const MatrixOp = z.object({
  code: z.string(),
  /** row of the matrix: the noun the code is about */
  noun: z.string(),
  noun_name: z.string(),
  verb: z.string(),
  verb_name: z.string(),
  column: z.string(),
  granted: z.boolean(),
  grantable: z.boolean(),
  locked: z.string().nullable(),
  /** titles of the pages that open with it */
  pages: z.array(z.string()),
})
export type MatrixOp = z.output<typeof MatrixOp>
export const MatrixModule = z.object({ code: z.string(), name: z.string(), ops: z.array(MatrixOp) })
export type MatrixModule = z.output<typeof MatrixModule>

/** `scope_kinds` of a dimension: what the caller may grant; `affected`: who holds the role now and who of them is signed in. */
export const RoleMatrix = z.object({
  role_id: RoleId,
  role_code: z.string(),
  role_name: z.string(),
  version: z.number().int(),
  modules: z.array(MatrixModule),
  scopes: ScopesView,
  scope_kinds: z.object({ dept: z.array(z.enum(scope_kinds)), place: z.array(z.enum(scope_kinds)) }),
  /** why nothing here may be changed, null when it may */
  locked: z.string().nullable(),
  affected: z.object({ members: z.number().int(), online: z.number().int() }),
})
export type RoleMatrix = z.output<typeof RoleMatrix>

const most_codes = 1000
const Change = { grant: z.array(Code).max(most_codes).default([]), revoke: z.array(Code).max(most_codes).default([]) }

/** `version` is that of getMatrix. Every other verb of a noun brings its view along; losing the view loses the rest (rule R8). */
export const MatrixChange = z.strictObject({
  role_id: RoleId,
  version: z.number().int(),
  ...Change,
  scopes: z.strictObject({ dept: RoleScope.optional(), place: RoleScope.optional() }).default({}),
})
export type MatrixChange = z.output<typeof MatrixChange>

export const PreviewItem = z.object({ id: z.number().int(), path: z.string(), code: z.string(), show_name: z.string(), icon: z.string() })
export const PreviewGroup = PreviewItem.extend({ children: z.array(PreviewItem) })

const RoleHead = z.object({ role_id: RoleId, code: z.string(), name: z.string(), scopes: ScopesView })
export const RoleDiff = z.object({
  a: RoleHead,
  b: RoleHead,
  /** every code that at least one of them has */
  ops: z.array(z.object({ code: z.string(), module_name: z.string(), noun_name: z.string(), verb_name: z.string(), in_a: z.boolean(), in_b: z.boolean() })),
})

const GroupSaved = z.object({ role_group_id: RoleGroupId, row_version: z.number().int() })
const most_groups = 200

/** Administration of roles and their permissions (chapter 10 §4, §5). */
export const roleApi = api('web', 'identity.role', {
  list: get('role/list', {
    query: z.object({ role_group_id: filter(RoleGroupId), keyword: filter(z.string().max(50)) }),
    reply: z.object({ list: z.array(RoleRow) }),
    need: 'identity.role.view',
    within: 'school',
  }),
  add: post('role/add', { body: RoleDraft, reply: RoleSaved, need: 'identity.role.edit', within: 'school' }),
  edit: post('role/edit', { body: RolePatch, reply: RoleSaved, need: 'identity.role.edit', within: 'school', op: 4 }),
  remove: post('role/del', { body: z.strictObject({ role_id: RoleId }), reply: Done, need: 'identity.role.edit', within: 'school', op: 5 }),
  copy: post('role/copy', { body: z.strictObject({ role_id: RoleId, name: RoleName }), reply: RoleSaved, need: 'identity.role.edit', within: 'school' }),
  matrix: get('role/getMatrix', { query: z.object({ role_id: RoleId }), reply: RoleMatrix, need: 'identity.role.edit', within: 'school' }),
  saveMatrix: post('role/optMatrix', {
    body: MatrixChange,
    reply: z.object({ version: z.number().int(), granted: z.array(z.string()), revoked: z.array(z.string()) }),
    need: 'identity.role.edit',
    within: 'school',
    op: 9,
  }),
  /** roles × codes as a sheet, for the assessor (chapter 10 B2) */
  exportMatrix: post('role/exportMatrix', { body: z.strictObject({}), reply: download, need: 'identity.role.export', within: 'school', op: 7 }),
  diff: get('role/diff', { query: z.object({ a: RoleId, b: RoleId }), reply: RoleDiff, need: 'identity.role.edit', within: 'school' }),
  /** the sidebar and the codes of a role, with a change that is not saved yet */
  preview: post('role/preview', {
    reads: true, body: z.strictObject({ role_id: RoleId, ...Change }),
    reply: z.object({ menu: z.array(PreviewGroup), codes: z.array(z.string()), granted: z.array(z.string()), revoked: z.array(z.string()) }),
    need: 'identity.role.edit',
    within: 'school',
    op: 13,
  }),
})

/** Writing role groups (`sessionApi.roleGroups` reads them); those of the system keep their code and are never removed. */
export const roleGroupApi = api('web', 'identity.role_group', {
  add: post('roleGroup/add', { body: z.strictObject({ name: RoleName }), reply: GroupSaved, need: 'identity.role.edit', within: 'school' }),
  edit: post('roleGroup/edit', {
    body: z.strictObject({ role_group_id: RoleGroupId, row_version: z.number().int(), name: RoleName }),
    reply: GroupSaved,
    need: 'identity.role.edit',
    within: 'school',
    op: 4,
  }),
  remove: post('roleGroup/del', { body: z.strictObject({ role_group_id: RoleGroupId }), reply: Done, need: 'identity.role.edit', within: 'school', op: 5 }),
  /** all groups of the school in their new order */
  sort: post('roleGroup/sort', {
    body: z.strictObject({ role_group_ids: z.array(RoleGroupId).min(1).max(most_groups) }),
    reply: Done,
    need: 'identity.role.edit',
    within: 'school',
    op: 4,
  }),
})
