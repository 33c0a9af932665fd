import LoadingOutlined from '@ant-design/icons/LoadingOutlined'
import { Feedback, toast } from '@kit/web'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ConfigProvider } from 'antd'
import zhCN from 'antd/es/locale/zh_CN'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { router } from './router.tsx'
import { SessionGate } from './session/session-gate.tsx'
import { theme } from './theme.ts'

// `always`: a query paused by the browser's own idea of being offline would neither fail nor show the strip.
const client = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'always' } } })

// Without a name of its own: a button at work is called as before, and not “loading 保存”.
const loadingIcon = <LoadingOutlined aria-hidden />

/** The console: look, language, messages, then the session, then the pages. `idle` shows why the login page is about to open. */
export function App({ idle }: { idle: boolean }): ReactNode {
  return (
    <ConfigProvider locale={zhCN} theme={theme} button={{ autoInsertSpace: false, loadingIcon }}>
      <Feedback>
        <QueryClientProvider client={client}>
          {idle ? (
            <IdleNotice />
          ) : (
            <SessionGate>
              <RouterProvider router={router} />
            </SessionGate>
          )}
        </QueryClientProvider>
      </Feedback>
    </ConfigProvider>
  )
}

function IdleNotice(): ReactNode {
  useEffect(() => toast.warning('长时间未操作，请重新登录'), [])
  return null
}
