export { publishingPages } from './routes.ts'
