import { createHash } from 'node:crypto'
import type { Navigations } from '@campus/school/contract'
import { menuGroups } from '@campus/school/contract'
import { commonErrors, fail } from '@kit/contract'
import type { z } from 'zod'
import type { SchoolCtx } from './db.ts'
import { moduleSettingsOf } from './module-reader.ts'
import { listModuleRows } from './module.queries.ts'
import { buildMenu } from './navigation/menu.ts'
import { listNavNodes, navStateOf } from './navigation/nav-state.ts'
import { quickRow } from './navigation/quick.ts'
import { readPreference } from './preference.service.ts'
import { findSchool } from './school.queries.ts'
import { subAppFacts } from './sub-app.ts'

/** Menu, quick row and permission codes of the acting identity (chapter 10 N3). Another role's id is refused. */
export async function readNavigations(ctx: SchoolCtx, role_id: string): Promise<z.output<typeof Navigations>> {
  if (role_id !== ctx.me.role_id) throw fail(commonErrors.forbidden)
  const school = await findSchool(ctx.db, ctx.school_id)
  if (!school) throw fail(commonErrors.notFound)
  const periods = await listModuleRows(ctx.db, ctx.school_id)
  const state = navStateOf(await listNavNodes(ctx.db, ctx.school_id), periods, ctx.now)
  const facts = [...ctx.app.facts, ...subAppFacts(moduleSettingsOf(ctx, ctx.school_id, periods))]
  const menu = buildMenu(menuGroups, facts, { school_type: school.school_type, codes: ctx.me.codes }, state)
  const chosen = await readPreference(ctx, 'quick_navs')
  const codes = [...ctx.me.codes].toSorted().map(code => ({ code }))
  const version = createHash('sha256').update(JSON.stringify([menu, codes])).digest('hex').slice(0, 16)
  return {
    navs: [
      { code: 'cloud_navs', list: menu },
      { code: 'QuickNavs', list: quickRow(menu, chosen.value) },
      { code: 'icon-menu', list: menu },
    ],
    perms: [{ code: 'EduPlatformPerms', list: codes }],
    version,
  }
}
