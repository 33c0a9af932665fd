import { join } from 'node:path'
import { menuGroups, schoolErrors, schoolRoutes as schoolFacts } from '@campus/school/contract'
import type { DomainServer } from '@kit/server/http'
import type { Kysely } from 'kysely'
import { dictionaryRoutes } from './dictionary.routes.ts'
import { installDictionaries } from './dictionary.install.ts'
import { navigationRoutes } from './navigation.routes.ts'
import { preferenceRoutes } from './preference.routes.ts'
import { publicFileRoutes } from './public-file.routes.ts'
import { clientErrorRoutes, schoolRoutes } from './school.routes.ts'
import type { SchoolDb } from './db.ts'

export { addSchool } from './new-school.ts'
export type { ConfigFacts, SchoolFacts } from './new-school.ts'
export { schoolIsActive } from './school.service.ts'
export { term } from './navigation/menu.ts'
export type { SchoolViews } from './tables.gen.ts'

export const schoolServer: DomainServer = {
  name: 'school',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [...schoolRoutes, ...clientErrorRoutes, ...navigationRoutes, ...dictionaryRoutes, ...preferenceRoutes, ...publicFileRoutes],
  facts: schoolFacts,
  groups: menuGroups,
  constraints: { user_pref_size: schoolErrors.prefTooLarge },
  install: (db: Kysely<unknown>) => installDictionaries(db.withTables<SchoolDb>()),
}
