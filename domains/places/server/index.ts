import { join } from 'node:path'
import { changeEffectPort, erasePort, rekeyPort } from '@campus/people/server'
import { placesErrors, placesEvents, placesRoutes } from '@campus/places/contract'
import { importTemplatePort, listExportPort } from '@kit/server/excel'
import type { DomainServer } from '@kit/server/http'
import { placeTemplate } from './import/place.template.ts'
import { managerEffect } from './manager.effect.ts'
import { placesErase, placesRekey } from './manager.follow.ts'
import { placeExport } from './place.export.ts'
import { placeRoutes } from './place.routes.ts'
import { seedPlaces } from './seed.ts'

export { placeThen } from './past-name.write.ts'
export { inPlaces, isInPlaces, placeScope, visiblePlaces } from './place.scope.ts'
export type { PlaceScope } from './place.scope.ts'
export { managersAbove } from './manager.queries.ts'
export { createHomes, createPlaces } from './place.create.ts'
export type { PlannedPlace } from './place.create.ts'
export type { PlacesViews } from './tables.gen.ts'
export { addablePort } from './addable-port.ts'
export type { AddableAsked, FreePlace } from './addable-port.ts'
export { placeHistoryPort } from './history-port.ts'
export type { HistoryAsked } from './history-port.ts'
export { placeUsePort } from './use-port.ts'
export type { PlaceAsked, PlaceUseFound } from './use-port.ts'

export const placesServer: DomainServer = {
  name: 'places',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: placeRoutes,
  facts: placesRoutes,
  events: Object.values(placesEvents),
  constraints: { place_sibling_name: placesErrors.placeNameTaken, place_depth: placesErrors.placeDepth },
  codes: [placeTemplate.need],
  seed: seedPlaces,
  compose({ app }) {
    changeEffectPort.fill(app, managerEffect)
    rekeyPort.fill(app, placesRekey)
    erasePort.fill(app, placesErase)
    importTemplatePort.fill(app, placeTemplate)
    listExportPort.fill(app, placeExport)
  },
}
