export { teachingRoutes } from './routes.ts'
