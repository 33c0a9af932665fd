export { accessPages } from './routes.ts'
