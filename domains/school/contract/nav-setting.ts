import { api, get, put } from '@kit/contract'
import { z } from 'zod'
import { isNavIcon } from './nav-icon.ts'

const most_nodes = 400

/** What a school says of one node of its menu; null: as the product has it. */
export const NavNodeSetting = z.strictObject({
  nav_id: z.number().int(),
  show_name: z.string().trim().min(1, '请输入名称').max(20, '名称最多20个字').regex(/^[^<>"'`\\]+$/, '名称不能包含特殊字符').nullable(),
  icon: z.string().refine(isNavIcon, '请从图标库中选择图标').nullable(),
  order: z.number().int().min(0).max(9999).nullable(),
  hidden: z.boolean(),
})
export type NavNodeSetting = z.output<typeof NavNodeSetting>

const NodeFields = z.object({
  nav_id: z.number().int(),
  /** empty for a group */
  path: z.string(),
  /** name, icon and place that the product gives it */
  name: z.string(),
  icon: z.string(),
  order: z.number().int(),
  /** never drawn in the sidebar: a page that others open */
  detail: z.boolean(),
  /** may be renamed and moved, not hidden */
  fixed: z.boolean(),
  /** its module is licensed today */
  licensed: z.boolean(),
  /** the permission that opens it; null: everybody */
  need: z.string().nullable(),
  /** of a page open to everybody: the permission without which it makes no menu alone */
  worth_with: z.string().nullable(),
  own: NavNodeSetting,
})
/** A page of the tree, as the product has it and as the school wants it. */
export const NavPage = NodeFields
export type NavPage = z.output<typeof NavPage>
export const NavGroup = NodeFields.extend({ children: z.array(NavPage) })
export type NavGroup = z.output<typeof NavGroup>

/** The whole menu of the school, hidden and unlicensed nodes too; `nav_version` stands for menu and modules together. */
export const NavTree = z.object({ nav_version: z.number().int(), groups: z.array(NavGroup) })
export type NavTree = z.output<typeof NavTree>

export const navSettingApi = api('web', 'school.nav', {
  read: get('school_nav', { reply: NavTree, need: 'school.nav.edit', within: 'school' }),
  /** `nodes`: all of them that are to differ; the others are as the product has them */
  save: put('school_nav', { body: z.strictObject({ nav_version: z.number().int(), nodes: z.array(NavNodeSetting).max(most_nodes) }), reply: NavTree, need: 'school.nav.edit', within: 'school' }),
})
