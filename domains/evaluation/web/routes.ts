import { pages } from '@kit/web'

/** Screens of the evaluation domain. */
export const evaluationPages = pages({})
