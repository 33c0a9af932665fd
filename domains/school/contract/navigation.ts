import { api, get, id } from '@kit/contract'
import { z } from 'zod'

const NavFields = z.object({
  id: z.number().int(),
  path: z.string(),
  code: z.string(),
  name: z.string(),
  show_name: z.string(),
  icon: z.string(),
  order: z.number().int(),
  superior_id: z.number().int(),
  hidden: z.boolean(),
})
export type NavItem = z.output<typeof NavFields> & { children: NavItem[] }
/** Menu node: groups have children, pages have a path. */
export const NavItem: z.ZodType<NavItem> = NavFields.extend({ children: z.lazy(() => z.array(NavItem)) })

/** Most pages of the quick row (chapter 10 §5). */
export const most_quick = 8

export const Navigations = z.object({
  navs: z.array(z.object({ code: z.enum(['cloud_navs', 'QuickNavs', 'icon-menu']), list: z.array(NavItem) })),
  perms: z.array(z.object({ code: z.literal('EduPlatformPerms'), list: z.array(z.object({ code: z.string() })) })),
  version: z.string(),
})

export const navigationApi = api('web', 'school.navigation', {
  list: get('navigations', {
    query: z.object({ type: z.literal('0').default('0'), role_id: id('identity.role'), app_code: z.literal('app_education_platform') }),
    reply: Navigations,
    session: true,
    within: 'self',
  }),
  badges: get('navigations/badges', { reply: z.object({ list: z.array(z.object({ path: z.string(), count: z.number().int().min(1), text: z.string() })) }), session: true, within: 'self' }),
})
