import { modulesFor } from '@campus/identity/contract'
import type { AppKind, AppModuleCode } from '@campus/identity/contract'
import { subAppSettings } from '@campus/school/server'
import { schoolTypeOf } from './app-role.access.ts'
import type { Where } from './reach.ts'

/** Modules that a client of this kind may show in a school today, in the product's order: made for it, and licensed. */
export async function offeredModules({ app, db, school_id }: Pick<Where, 'app' | 'db' | 'school_id'>, kind: AppKind): Promise<AppModuleCode[]> {
  const settings = await subAppSettings({ app }, db, school_id)
  return modulesFor(kind, await schoolTypeOf(db, school_id)).filter(code => settings.get(code)?.enabled !== false)
}
