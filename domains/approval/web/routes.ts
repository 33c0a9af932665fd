import { pages } from '@kit/web'

/** Screens of the approval domain. */
export const approvalPages = pages({})
