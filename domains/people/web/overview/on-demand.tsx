import { lazy } from 'react'

/** 人员概况 of 学校信息, fetched when it is first shown. */
export const PeopleOverview = lazy(() => import('./overview-card.tsx').then(({ OverviewCard }) => ({ default: OverviewCard })))
