import { sub_app_codes } from '@campus/school/contract'
import { isAppModule } from './app-role-module.ts'
import type { AppModuleCode } from './app-role-module.ts'

/** What one app role of a person shows and lets him do. `order`: the smaller comes first. */
export type AppRoleShare = { modules: readonly { module_code: string; visible: boolean; order: number }[]; codes: readonly string[] }
/** What an app client shows a person, in order, and what he may do there. */
export type AppMenu = { modules: AppModuleCode[]; codes: string[] }

/**
 * Several app roles of one person: the union of their modules, where the smallest order wins (chapter 10 §5). A module that one role hides is shown
 * as soon as another shows it, at the place that role gives it. Of equal places the product's own order decides. What the product does not know
 * drops out. Permissions are the union too; roles of the console never come in (rule R4).
 */
export function mergeAppRoles(roles: readonly AppRoleShare[]): AppMenu {
  const places = new Map<AppModuleCode, number>()
  for (const { module_code, visible, order } of roles.flatMap(role => role.modules)) {
    if (visible && isAppModule(module_code)) places.set(module_code, Math.min(order, places.get(module_code) ?? order))
  }
  const rank = (code: AppModuleCode) => sub_app_codes.indexOf(code)
  const modules = [...places].toSorted(([a, at_a], [b, at_b]) => at_a - at_b || rank(a) - rank(b)).map(([code]) => code)
  return { modules, codes: [...new Set(roles.flatMap(role => role.codes))].toSorted() }
}
