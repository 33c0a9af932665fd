export { devicesPages } from './routes.ts'
