export { attendanceCardViews } from './card-views.ts'
export { attendancePages } from './routes.ts'
