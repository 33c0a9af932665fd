export { leavePages } from './routes.ts'
