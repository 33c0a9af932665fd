export { canteenPages } from './routes.ts'
