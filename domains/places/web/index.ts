export { placesFinders } from './finders.ts'
export { connectPlaces } from './ports.ts'
export { placesPages } from './routes.ts'
