import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import { Loading } from '@kit/web'
import type { MessageCenterProps } from './inbox/message-center.tsx'
import type { Recheck } from './setting/recheck.ts'

const Settings = lazy(() => import('./setting/message-settings.tsx').then(({ MessageSettings: loaded }) => ({ default: loaded })))
const Center = lazy(() => import('./inbox/message-center.tsx').then(({ MessageCenter: loaded }) => ({ default: loaded })))

/** The person's messages, fetched when the drawer opens. */
export function MessageCenter(props: MessageCenterProps): ReactNode {
  return (
    <Suspense fallback={null}>
      <Center {...props} />
    </Suspense>
  )
}

/** 消息通道 of 学校信息, fetched when the tab is opened. */
export function MessageSettings(props: { recheck: Recheck }): ReactNode {
  return (
    <Suspense fallback={<Loading rows={8} />}>
      <Settings {...props} />
    </Suspense>
  )
}
