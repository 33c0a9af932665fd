import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import type { ExplainProps } from './explain-props.ts'

const ExplainDrawer = lazy(() => import('./explain-drawer.tsx').then(part => ({ default: part.ExplainDrawer })))

/** Code of 权限诊断, for doors that stand where the contract is not loaded. */
export const explain_need = 'identity.explain.view'

/** 权限诊断 of a person, loaded when it is opened. */
export function ExplainDoor(props: ExplainProps): ReactNode {
  return <Suspense><ExplainDrawer {...props} /></Suspense>
}
