export { evaluationPages } from './routes.ts'
