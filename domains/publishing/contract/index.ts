export { publishingRoutes } from './routes.ts'
