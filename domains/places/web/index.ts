export { placesPages } from './routes.ts'
