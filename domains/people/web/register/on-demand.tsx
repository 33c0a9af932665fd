import { lazy } from 'react'

/** 开放登记 of 学校信息, fetched when it is first shown. */
export const RegisterState = lazy(() => import('./register-card.tsx').then(({ RegisterCard }) => ({ default: RegisterCard })))
