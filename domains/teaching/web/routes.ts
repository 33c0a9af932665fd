import { pages } from '@kit/web'

/** Screens of the teaching domain. */
export const teachingPages = pages({})
