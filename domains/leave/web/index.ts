export { leaveCardViews } from './card-views.ts'
export { leavePages } from './routes.ts'
