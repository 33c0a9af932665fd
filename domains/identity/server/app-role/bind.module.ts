import { appModuleName, identityErrors } from '@campus/identity/contract'
import type { appRoleApi } from '@campus/identity/contract'
import type { Input, Reply } from '@kit/contract'
import type { IdentityCtx } from '../db.ts'
import { changeAppRole } from './app-role.access.ts'
import { once, toldOf } from './bind.outcome.ts'
import { offeredModules } from './licensed-modules.ts'

type Told = Reply<typeof appRoleApi.bindModule>

/**
 * Puts modules into a role, or to another place of it; one without an order keeps its place, a new one comes last.
 * @throws Refusal 404, 409 stale, 422 appModuleRefused when the client may show none of them here
 */
export async function bindModules(ctx: IdentityCtx, { modules, ...which }: Input<typeof appRoleApi.bindModule>): Promise<Told> {
  const { db, school_id } = ctx
  return changeAppRole(ctx, which, async role => {
    const offered: readonly string[] = await offeredModules(ctx, role.client_kind)
    const asked = [...new Map(modules.map(module => [module.module_code, module])).values()]
    const told = toldOf(asked.map(({ module_code }) => ({ id: module_code, name: appModuleName(module_code), fault: offered.includes(module_code) ? null : identityErrors.appModuleRefused })))
    const had = await db.selectFrom('role_module').select(['module_code', 'order']).where('school_id', '=', school_id).where('role_id', '=', role.role_id).execute()
    const last = Math.max(0, ...had.map(row => row.order), ...asked.map(module => module.order ?? 0))
    const rows = asked.filter(({ module_code }) => offered.includes(module_code)).map(({ module_code, visible, order }, at) => {
      return { school_id, role_id: role.role_id, module_code, visible, order: order ?? had.find(row => row.module_code === module_code)?.order ?? last + at + 1 }
    })
    await db
      .insertInto('role_module')
      .values(rows)
      .onConflict(oc => oc.columns(['school_id', 'role_id', 'module_code']).doUpdateSet(eb => ({ visible: eb.ref('excluded.visible'), order: eb.ref('excluded.order') })))
      .execute()
    const shown = rows.toSorted((a, b) => a.order - b.order).map(row => row.module_code)
    ctx.note({ target_kind: 'identity.app_role', target_id: role.role_id, target_name: role.name, after: { modules: shown } })
    return told
  })
}

/** Takes modules out of a role. @throws Refusal 404, 409 stale */
export async function unbindModules(ctx: IdentityCtx, { module_codes, ...which }: Input<typeof appRoleApi.unbindModule>): Promise<Told> {
  const { db, school_id } = ctx
  return changeAppRole(ctx, which, async role => {
    const asked = once(module_codes)
    const rows = await db.deleteFrom('role_module').where('school_id', '=', school_id).where('role_id', '=', role.role_id).where('module_code', 'in', asked).returning('module_code').execute()
    const gone = new Set<string>(rows.map(row => row.module_code))
    const told = toldOf(asked.map(code => ({ id: code, name: appModuleName(code), fault: gone.has(code) ? null : identityErrors.appModuleUnbound })))
    ctx.note({ target_kind: 'identity.app_role', target_id: role.role_id, target_name: role.name, before: { modules: [...gone] } })
    return told
  })
}
