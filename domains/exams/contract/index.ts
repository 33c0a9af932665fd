export { examsRoutes } from './routes.ts'
