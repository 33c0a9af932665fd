import { pages } from '@kit/web'

/** Screens of the publishing domain. */
export const publishingPages = pages({})
