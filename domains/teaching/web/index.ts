export { teachingPages } from './routes.ts'
