import { MessageCenter } from '@campus/messages/web'
import { AppDrawer } from '@kit/web'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** 消息 at the right edge. */
export function MessageDrawer({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  const router = useRouter()
  const go = (link: string) => {
    onClose()
    // Pages for the phone are no part of this application.
    if (link.startsWith('/m/')) window.location.assign(link)
    else router.history.push(link)
  }
  return (
    <AppDrawer title="消息" open={open} onClose={onClose} size={420} destroyOnHidden>
      <MessageCenter onOpen={go} />
    </AppDrawer>
  )
}
