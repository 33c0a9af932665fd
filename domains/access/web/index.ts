import { lazy } from 'react'

export { accessCardViews } from './card-views.ts'
export { accessPages } from './routes.ts'

/** 疏散全开 or 封闭 of the school, on every page; fetched after the frame. */
export const EmergencyBanner = lazy(() => import('./door/emergency-banner.tsx').then(part => ({ default: part.EmergencyBanner })))
