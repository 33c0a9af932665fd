import { EmergencyBanner } from '@campus/access/web'
import { useOffline } from '@kit/web'
import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { usePasswordNotice } from '../account/use-notice.ts'
import { LiveUpdates } from '../realtime/live-updates.tsx'
import { useSession } from '../session/session.ts'
import { routeTable } from '../route-table.ts'
import { PageStack } from './page-stack.tsx'
import { readFolded, rememberFolded } from './fold.ts'
import { Sidebar } from './sidebar.tsx'
import { SuperRibbon } from './super-ribbon.tsx'
import { TopBar } from './top-bar.tsx'

const PasswordNotice = lazy(() => import('../account/password-notice.tsx').then((part) => ({ default: part.PasswordNotice })))

/** The frame around every page: sidebar, top bar, content. */
export function Layout(): ReactNode {
  const { menu } = useSession()
  const { pathname } = useLocation()
  const [folded, setFolded] = useState(readFolded)
  const notice = usePasswordNotice()
  const offline = useOffline()
  const fold = () => {
    rememberFolded(!folded)
    setFolded(!folded)
  }
  if (routeTable.get(pathname)?.fact.bare) return <BareLayout offline={offline} />
  return (
    <div className="app-layout">
      <a className="app-skip" href="#content">跳到内容</a>
      <Sidebar folded={folded} path={pathname} />
      <div className="app-main">
        <TopBar folded={folded} onFold={fold} path={pathname} />
        <SuperRibbon />
        <Suspense><EmergencyBanner /></Suspense>
        {offline && <Offline />}
        <LiveUpdates />
        <main className="app-content" id="content" tabIndex={-1}>
          {menu.length === 0 ? <div className="app-whole" data-ready="empty"><p>未配置功能模块</p></div> : <PageStack />}
        </main>
      </div>
      <Suspense>{notice && <PasswordNotice {...notice} />}</Suspense>
    </div>
  )
}

/** A page that stands alone; the same session, nothing around it. */
function BareLayout({ offline }: { offline: boolean }): ReactNode {
  return (
    <div className="app-bare">
      {offline && <Offline />}
      <LiveUpdates />
      <main className="app-content" id="content" tabIndex={-1}><PageStack /></main>
    </div>
  )
}

function Offline(): ReactNode {
  return <div className="app-offline" role="alert">网络异常，请检查网络</div>
}
