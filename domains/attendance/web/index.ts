export { attendancePages } from './routes.ts'
