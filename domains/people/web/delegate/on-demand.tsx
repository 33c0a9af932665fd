import { lazy } from 'react'

/** Fetched after the page: the top bar is there without it. */
export const ActingTag = lazy(() => import('./acting-tag.tsx').then(part => ({ default: part.ActingTag })))
