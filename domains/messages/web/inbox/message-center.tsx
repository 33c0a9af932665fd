import type { InboxRow } from '@campus/messages/contract'
import { Loading } from '@kit/web'
import { Alert, Button, Empty, Segmented } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { MessageLine } from './message-line.tsx'
import { useInbox, useReading, useUnread } from './use-inbox.ts'

/** `onOpen` goes to the path a message points to. */
export type MessageCenterProps = { onOpen: (link: string) => void }

/** My messages: all or the unread ones, to open or to mark as read. Content of the drawer behind the bell. */
export function MessageCenter({ onOpen }: MessageCenterProps): ReactNode {
  const [unread, setUnread] = useState(false)
  const read = useReading()
  const waiting = useUnread()
  const open = (row: InboxRow) => {
    if (!row.is_read) void read({ ids: [row.message_id] })
    if (row.link !== null) onOpen(row.link)
  }
  return (
    <div className="message-center">
      <div className="message-head">
        <Segmented aria-label="显示的消息" options={[{ label: '全部', value: 'all' }, { label: '未读', value: 'unread' }]} value={unread ? 'unread' : 'all'} onChange={(value) => setUnread(value === 'unread')} />
        <Button disabled={waiting === 0} onClick={() => void read({ all: 1 })}>全部已读</Button>
      </div>
      <Lines unread={unread} onOpen={open} />
    </div>
  )
}

function Lines({ unread, onOpen }: { unread: boolean; onOpen: (row: InboxRow) => void }): ReactNode {
  const inbox = useInbox(unread)
  if (inbox.isPending) return <Loading rows={6} />
  if (inbox.isError && !inbox.data) {
    return (
      <div className="kit-failed" role="alert">
        <p>消息加载失败</p>
        <Button onClick={() => void inbox.refetch()}>重试</Button>
      </div>
    )
  }
  const rows = inbox.data.pages.flatMap(({ list }) => list)
  if (rows.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={unread ? '没有未读消息' : '还没有消息，与您有关的提醒会显示在这里'} />
  return (
    <>
      {inbox.isError && <Alert type="warning" showIcon role="status" title="最新消息暂时取不到，恢复后会自动更新" />}
      <ul className="message-list">
        {rows.map((row) => <MessageLine key={row.message_id} row={row} onOpen={onOpen} />)}
      </ul>
      {inbox.hasNextPage && <Button block loading={inbox.isFetchingNextPage} onClick={() => void inbox.fetchNextPage()}>查看更早的消息</Button>}
    </>
  )
}
