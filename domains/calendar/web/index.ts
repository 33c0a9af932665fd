export { calendarPages } from './routes.ts'
export { TodayTag } from './today-tag.tsx'
