import { pages } from '@kit/web'

/** Screens of the faces domain. */
export const facesPages = pages({})
