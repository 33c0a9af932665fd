import { join } from 'node:path'
import { filesEvents } from '@campus/files/contract'
import { pictureKeeperPort, schoolFilesPort } from '@campus/school/server'
import { timerKindPort } from '@kit/server/event'
import type { DomainServer } from '@kit/server/http'
import { loadStores, sealedPort } from '@kit/server/secrets'
import { databasePort, storesPort } from './db.ts'
import { fileRoutes } from './file.routes.ts'
import { schoolFiles } from './school-files.ts'
import { schoolPictures } from './school-pictures.ts'
import { tokenRoutes } from './token.routes.ts'
import { fileRemoved, fileUnused } from './unused.ts'
import { sealedEnvelope } from './vault.ts'

export { addressOf } from './address.ts'
export type { Addressed } from './address.ts'
export { claim, claimOfDevice, claimOfVisitor, release } from './claim.ts'
export type { Claimed, Place, Wanted } from './claim.ts'
export { digestOf } from './digest.ts'
export { eraseFile } from './erase.ts'
export { broughtBy, filesOf, hold, holdForMany } from './hold.ts'
export { lookWordsPort } from './look.ts'
export type { LookWords } from './look.ts'
export { keepAllMade, keepMade } from './made.ts'
export type { Made, MadeFor } from './made.ts'
export { openFile, read } from './read.service.ts'
export { sealedForm } from './token.service.ts'
export { pictureKey } from './vault.ts'
export { deviceForm, visitorForms } from './visitor.ts'
export type { FilesViews } from './tables.gen.ts'

/** Where every file of the product lies, and the one way in. */
export const filesServer: DomainServer = {
  name: 'files',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [...tokenRoutes, ...fileRoutes],
  events: Object.values(filesEvents),
  compose({ app, database }) {
    storesPort.fill(app, loadStores(app.config))
    databasePort.fill(app, { database })
    pictureKeeperPort.fill(app, schoolPictures)
    schoolFilesPort.fill(app, schoolFiles({ app, database }))
    sealedPort.fill(app, sealedEnvelope)
    for (const kind of [fileUnused, fileRemoved]) timerKindPort.fill(app, kind)
  },
}
