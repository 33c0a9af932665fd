import { join } from 'node:path'
import { facesErrors, facesEvents, facesRoutes as facts, facesTemplates } from '@campus/faces/contract'
import { workKindPort } from '@campus/jobs/server'
import { messageTemplatePort } from '@campus/messages/server'
import { erasePort, rekeyPort } from '@campus/people/server'
import { timerKindPort } from '@kit/server/event'
import type { DomainServer } from '@kit/server/http'
import { builtinDetector, detectorPort } from './detector/detector.ts'
import { facesRoutes } from './faces.routes.ts'
import { erasureTimer, facesConsumers, failedTimer } from './follow.ts'
import { ownAgeTimer } from './own-age.ts'
import { facesErase, facesRekey } from './person.follow.ts'
import { redetectWork } from './redetect.ts'

export { createFacePolicy, createFaces } from './create.ts'
export type { PlannedFace, PlannedPolicy } from './create.ts'
export { canDetect } from './detector/detector.ts'
export type { FacesViews } from './tables.gen.ts'

export const facesServer: DomainServer = {
  name: 'faces',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: facesRoutes,
  facts,
  events: Object.values(facesEvents),
  consumers: facesConsumers,
  constraints: { face_photo_once: facesErrors.duplicate },
  compose({ app, database }) {
    workKindPort.fill(app, redetectWork(database))
    detectorPort.fill(app, builtinDetector(app.log))
    rekeyPort.fill(app, facesRekey)
    erasePort.fill(app, facesErase)
    for (const template of Object.values(facesTemplates)) messageTemplatePort.fill(app, template)
    for (const timer of [erasureTimer, failedTimer, ownAgeTimer]) timerKindPort.fill(app, timer)
  },
  start({ app }) {
    return Promise.resolve(() => detectorPort.one(app).stop())
  },
}
