import { pages } from '@kit/web'

/** Screens of the leave domain. */
export const leavePages = pages({})
