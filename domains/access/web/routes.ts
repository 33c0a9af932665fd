import { pages } from '@kit/web'

/** Screens of the access domain. */
export const accessPages = pages({})
