import { Loading } from '@kit/web'
import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import type { Recheck } from '../ports.ts'

const Tab = lazy(() => import('./provider-tab.tsx').then(part => ({ default: part.ProviderTab })))
const Binds = lazy(() => import('./own-binds.tsx').then(part => ({ default: part.OwnBinds })))

/** 登录方式 of 学校信息, fetched when the tab is opened. */
export function ProviderTab(props: { recheck: Recheck }): ReactNode {
  return <Suspense fallback={<Loading rows={8} />}><Tab {...props} /></Suspense>
}

/** What the person has bound, fetched with the dialog that shows it. */
export function OwnBinds(): ReactNode {
  return <Suspense fallback={null}><Binds /></Suspense>
}
