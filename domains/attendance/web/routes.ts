import { pages } from '@kit/web'

/** Screens of the attendance domain. */
export const attendancePages = pages({})
