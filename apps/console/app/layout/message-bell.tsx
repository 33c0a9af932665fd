import { BellOutlined } from '@ant-design/icons'
import { useUnread } from '@campus/messages/web'
import { Button, Tooltip } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'

const MessageDrawer = lazy(() => import('./message-drawer.tsx').then((part) => ({ default: part.MessageDrawer })))
const most_shown = 99

/** Number of my unread messages; opens them. */
export function MessageBell(): ReactNode {
  const [open, setOpen] = useState(false)
  const [opened, setOpened] = useState(false)
  const unread = useUnread() ?? 0
  const count = unread > most_shown ? `${most_shown}+` : String(unread)
  const show = () => {
    setOpened(true)
    setOpen(true)
  }
  return (
    <>
      <Tooltip title="消息">
        <Button type="text" className="app-bell" icon={<BellOutlined />} aria-label={`消息，${count}条未读`} onClick={show}>
          {unread > 0 && <span className="app-count">{count}</span>}
        </Button>
      </Tooltip>
      <Suspense>{opened && <MessageDrawer open={open} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
