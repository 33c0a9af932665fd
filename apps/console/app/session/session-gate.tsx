import { sessionApi } from '@campus/identity/contract'
import { call, CallError, leaveApp } from '@kit/web'
import { Button, Space } from 'antd'
import { useCallback, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { loadSession } from './load-session.ts'
import { useSessionStore } from './session.ts'

/** Renders nothing of the app before the session is there, so that the back button shows no data (platform rule S6). */
export function SessionGate({ children }: { children: ReactNode }): ReactNode {
  const session = useSessionStore((state) => state.session)
  const [failure, setFailure] = useState<string>()
  const load = useCallback(() => {
    setFailure(undefined)
    loadSession().then(
      (loaded) => useSessionStore.setState({ session: loaded }),
      (cause: unknown) => setFailure(sentenceOf(cause)),
    )
  }, [])
  useEffect(load, [load])
  useEffect(reloadOnSwitch, [])
  if (session) return children
  if (failure === undefined) return <div className="app-splash" role="status" aria-label="加载中" />
  return (
    <div className="app-whole">
      <p>{failure}</p>
      <Space>
        <Button type="primary" onClick={load}>重试</Button>
        <Button onClick={() => void signOut()}>退出登录</Button>
      </Space>
    </div>
  )
}

/** Ends the session on the server, then in the browser, whatever the server answers (platform rule S6). */
export async function signOut(): Promise<void> {
  await call(sessionApi.logout, {}, { quiet: true }).catch(() => undefined)
  leaveApp()
}

function sentenceOf(cause: unknown): string {
  if (cause instanceof CallError) return cause.msg || '网络异常，请检查网络'
  return '系统异常，请稍后重试'
}

// Another tab that switches the identity or signs out takes this one along (platform rule R6).
function reloadOnSwitch(): () => void {
  const follow = (event: StorageEvent) => {
    const left = event.key === null || (event.key === 'token' && event.newValue === null)
    if (left || event.key === 'role_nos') window.location.reload()
  }
  window.addEventListener('storage', follow)
  return () => window.removeEventListener('storage', follow)
}
