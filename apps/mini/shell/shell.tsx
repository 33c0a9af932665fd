import type { MiniSession } from '@campus/identity/contract'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { begin, noteBegun } from './boot.ts'
import type { Begin, MiniDocument } from './boot.ts'
import { isElder, showElder } from './elder.ts'
import { watchOthers } from './one-user.ts'
import { Notice } from './parts.tsx'
import type { Live } from './session.ts'

const Hall = lazy(() => import('../hall/pages/hall.tsx').then(part => ({ default: part.Hall })))
const Leave = lazy(() => import('../leave/pages/leave.tsx').then(part => ({ default: part.Leave })))
const Approve = lazy(() => import('../approve/pages/approve.tsx').then(part => ({ default: part.Approve })))
const PushMessage = lazy(() => import('../push-message/pages/push-message.tsx').then(part => ({ default: part.PushMessage })))
const Evaluate = lazy(() => import('../evaluate/pages/evaluate.tsx').then(part => ({ default: part.Evaluate })))
const Attend = lazy(() => import('../attend/pages/attend.tsx').then(part => ({ default: part.Attend })))
const Door = lazy(() => import('../door/pages/door.tsx').then(part => ({ default: part.Door })))
const Entry = lazy(() => import('../hall/pages/entry.tsx').then(part => ({ default: part.Entry })))

type Stage = Begin | { kind: 'other'; user_name: string }

/** The frame of every sub-application: how it began, and what takes its place when its session is over. */
export function Shell({ page, first }: { page: MiniDocument; first: Begin }): ReactNode {
  const [stage, setStage] = useState<Stage>(first)
  const again = () => void begin(page).then(setStage)
  const left = (app: string) => {
    noteBegun(app, false)
    setStage({ kind: 'login' })
  }
  if (stage.kind === 'live') return <LiveApp told={stage.told} onStale={() => setStage({ kind: 'stale' })} onLeft={() => left(stage.told.app.code)} onOther={user_name => setStage({ kind: 'other', user_name })} />
  if (stage.kind === 'login') {
    return (
      <Suspense fallback={<Waiting />}>
        <Entry school_id={page.school_id} onEntered={again} />
      </Suspense>
    )
  }
  if (stage.kind === 'failed') return <Notice title={stage.msg} button={{ text: '重试', act: again }} />
  if (stage.kind === 'other') return <Notice title={`当前已切换为「${stage.user_name}」`} about="此页面已锁定，请关闭，或刷新后重新进入。" button={{ text: '刷新', act: () => window.location.reload() }} />
  return <Stale app={page.app} />
}

type LiveProps = { told: MiniSession; onStale: () => void; onLeft: () => void; onOther: (user_name: string) => void }

function LiveApp({ told, onStale, onLeft, onOther }: LiveProps): ReactNode {
  const [live] = useState<Live>(() => ({ told, token: told.token }))
  const { user_id, user_name } = told.me
  const other = useRef(onOther)
  useEffect(() => showElder(isElder(user_id)), [user_id])
  useEffect(() => watchOthers({ user_id, user_name, school_id: told.school.school_id, app: told.app.code }, name => other.current(name)), [told, user_id, user_name])
  const pages: Readonly<Record<string, ReactNode>> = {
    hall: <Hall live={live} onStale={onStale} onLeft={onLeft} />,
    leave: <Leave live={live} onStale={onStale} />,
    approve: <Approve live={live} onStale={onStale} />,
    pushMessage: <PushMessage live={live} onStale={onStale} />,
    door: <Door live={live} onStale={onStale} />,
    evaluate: <Evaluate live={live} onStale={onStale} />,
    cloudAttend: <Attend live={live} onStale={onStale} />,
    cloudStudentAttend: <Attend live={live} onStale={onStale} />,
    attendManage: <Attend live={live} onStale={onStale} />,
  }
  const page = pages[told.app.code]
  if (page === undefined) return <Notice title={`${told.app.title}在贵校尚未启用`} about={`您好，${user_name}。身份已确认，但学校还没有启用这个应用，可联系学校管理员。`} button={{ text: '去办事大厅', act: toHall }} />
  return <Suspense fallback={<Waiting />}>{page}</Suspense>
}

/** A link that is over: back to where it came from, or to the hall, where one can enter anew. */
function Stale({ app }: { app: string | null }): ReactNode {
  const back = () => (window.history.length > 1 ? window.history.back() : window.close())
  return <Notice title="链接已失效，请返回后重新打开" button={{ text: '返回', act: back }} {...(app === 'hall' ? {} : { second: { text: '去办事大厅', act: toHall } })} />
}

function toHall(): void {
  window.location.assign('/mini/hall/')
}

function Waiting(): ReactNode {
  return <div className="waiting" role="status" aria-label="加载中" />
}
