import { pages } from '@kit/web'
import { result_pages } from './result-pages.ts'

/** Screens of the attendance domain. */
export const attendancePages = pages({
  ...result_pages,
})
