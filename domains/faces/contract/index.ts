export { facesRoutes } from './routes.ts'
