import { join } from 'node:path'
import { menuGroups, schoolCards, schoolErrors, schoolEvents, schoolRoutes as schoolFacts } from '@campus/school/contract'
import { timerKindPort } from '@kit/server/event'
import { importTemplatePort, listExportPort } from '@kit/server/excel'
import { sheetWordsPort } from '@kit/server/export'
import { cardPort } from '@kit/server/http'
import type { DomainServer } from '@kit/server/http'
import { sealedPort } from '@kit/server/secrets'
import type { Kysely } from 'kysely'
import { closingSweep } from './closing/closing.timer.ts'
import { configRoutes } from './config.routes.ts'
import { dictionaryTemplate } from './dictionary-edit.import.ts'
import { dictionaryEditRoutes } from './dictionary-edit.routes.ts'
import { dictionaryRoutes } from './dictionary.routes.ts'
import { installDictionaries } from './dictionary.install.ts'
import { infoRoutes } from './info.routes.ts'
import { sealedModuleSecret } from './module-secret.ts'
import { navSettingRoutes } from './nav-setting.routes.ts'
import { navigationRoutes } from './navigation.routes.ts'
import { pictureRoutes } from './picture.routes.ts'
import { preferenceRoutes } from './preference.routes.ts'
import { clientErrorRoutes, schoolRoutes } from './school.routes.ts'
import { schoolListExport } from './school-list.export.ts'
import { schoolManageRoutes } from './school-manage.routes.ts'
import { schoolInfoStep, setupStepPort } from './setup-step.ts'
import { setupRoutes } from './setup.routes.ts'
import { sheetWords } from './sheet-words.ts'
import type { SchoolDb } from './db.ts'

export { schoolDay } from './school-day.ts'
export { setCloudFee } from './cloud-fee.ts'
export { schoolFilesPort, schoolStopPort } from './closing/closing.port.ts'
export type { SchoolFiles, SchoolStop } from './closing/closing.port.ts'
export { configCheckPort } from './config.check.ts'
export type { ConfigCheck, ConfigDesk } from './config.check.ts'
export { addSchool, regionFacts } from './new-school.ts'
export type { ConfigFacts, SchoolFacts } from './new-school.ts'
export { loginProviderPort } from './login-provider.ts'
export type { FaceProvider } from './login-provider.ts'
export { pictureKeeperPort } from './picture-keeper.ts'
export type { PictureKeeper } from './picture-keeper.ts'
export { readStorePlace } from './store-place.ts'
export type { StorePlace } from './store-place.ts'
export { schoolKeeperPort, schoolSeedPort } from './school-keeper.ts'
export type { FirstAdmin, SchoolKeeper, SchoolUse } from './school-keeper.ts'
export { dropPref, erasePrefs, findPref, savePref, school_default } from './preference.service.ts'
export type { PrefOwner } from './preference.service.ts'
export { schoolIsActive } from './school.service.ts'
export { setupStepPort } from './setup-step.ts'
export type { SetupState, SetupStep } from './setup-step.ts'
export { standModule } from './module.queries.ts'
export { buildMenu, isClosed, term } from './navigation/menu.ts'
export { readNavState } from './navigation/nav-state.ts'
export type { NavState } from './navigation/nav-state.ts'
export { serviceSwitches, subAppSetting, subAppSettings } from './sub-app.ts'
export type { SettingDesk, SubAppSetting } from './sub-app-setting.ts'
export type { SchoolViews } from './tables.gen.ts'

export const schoolServer: DomainServer = {
  name: 'school',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [...schoolRoutes, ...schoolManageRoutes, ...infoRoutes, ...pictureRoutes, ...configRoutes, ...dictionaryEditRoutes, ...clientErrorRoutes, ...navigationRoutes, ...navSettingRoutes, ...dictionaryRoutes, ...preferenceRoutes, ...setupRoutes],
  events: Object.values(schoolEvents),
  codes: [dictionaryTemplate.need],
  facts: schoolFacts,
  groups: menuGroups,
  constraints: { school_module_overlap: schoolErrors.moduleOverlap, user_pref_size: schoolErrors.prefTooLarge, school_pkey: schoolErrors.idTaken, school_registry_school_key: schoolErrors.idTaken },
  compose({ app, database }) {
    timerKindPort.fill(app, closingSweep({ app, database }))
    setupStepPort.fill(app, schoolInfoStep)
    importTemplatePort.fill(app, dictionaryTemplate)
    listExportPort.fill(app, schoolListExport({ database }))
    sealedPort.fill(app, sealedModuleSecret)
    sheetWordsPort.fill(app, sheetWords)
    for (const card of schoolCards) cardPort.fill(app, card)
  },
  install: (db: Kysely<unknown>) => installDictionaries(db.withTables<SchoolDb>()),
}
