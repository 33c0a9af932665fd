import { join } from 'node:path'
import { peopleEvents } from '@campus/people/contract'
import { erasePort, rekeyPort } from '@campus/people/server'
import { placesErrors, placesEvents, placesRoutes } from '@campus/places/contract'
import { asTables } from '@kit/server/db'
import { consume } from '@kit/server/event'
import type { DomainServer } from '@kit/server/http'
import type { PlacesDb } from './db.ts'
import { placesErase, placesRekey } from './manager.follow.ts'
import { endManagersOf } from './manager.service.ts'
import { placeRoutes } from './place.routes.ts'
import { seedPlaces } from './seed.ts'

export { inPlaces, isInPlaces, placeScope } from './place.scope.ts'
export type { PlaceScope } from './place.scope.ts'
export { createHomes, createPlaces } from './place.create.ts'
export type { PlannedPlace } from './place.create.ts'
export type { PlacesViews } from './tables.gen.ts'
export { placeUsePort } from './use-port.ts'
export type { PlaceAsked, PlaceUseFound } from './use-port.ts'

/** Whoever has left looks after no place. */
const departed = consume('places.end_managers', 'people.person_departed', peopleEvents.personDeparted.payload.pick({ user_ids: true, on: true }), ({ db, school_id }, { user_ids, on }) => endManagersOf(asTables<PlacesDb>(db), school_id, user_ids, on))

export const placesServer: DomainServer = {
  name: 'places',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: placeRoutes,
  facts: placesRoutes,
  events: Object.values(placesEvents),
  constraints: { place_sibling_name: placesErrors.placeNameTaken, place_depth: placesErrors.placeDepth },
  seed: seedPlaces,
  consumers: [departed],
  compose({ app }) {
    rekeyPort.fill(app, placesRekey)
    erasePort.fill(app, placesErase)
  },
}
