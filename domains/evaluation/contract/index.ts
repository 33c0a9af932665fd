export { evaluationRoutes } from './routes.ts'
