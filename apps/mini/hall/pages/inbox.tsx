import type { InboxRow } from '@campus/messages/contract'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { HallPage } from '../page.ts'

/** 消息: my inbox, the same as in the console; a message is read when it is opened. */
export function Inbox({ call, unread, onRead, say }: HallPage): ReactNode {
  const [only, setOnly] = useState(false)
  const [more, setMore] = useState<{ list: InboxRow[]; older: string | null }>()
  const [opened, setOpened] = useState<string>()
  const fetchIt = useCallback(() => call('inbox', only ? { unread: '1' } : {}), [call, only])
  const { data, failure, again } = useLoaded(fetchIt)
  const older = more ? more.older : (data?.older ?? null)
  const rows = [...(data?.list ?? []), ...(more?.list ?? [])]
  const fresh = () => {
    setMore(undefined)
    again()
    onRead()
  }
  const read = (which: { ids: string[] } | { all: 1 }) => call('read', which).then(fresh, (cause: unknown) => say(sentenceOf(cause)))
  const show = (row: InboxRow) => {
    setOpened(opened === row.message_id ? undefined : row.message_id)
    if (!row.is_read) void read({ ids: [row.message_id] })
  }
  const earlier = () => {
    if (older === null) return
    call('inbox', { ...(only ? { unread: '1' } : {}), before: older }).then(
      next => setMore({ list: [...(more?.list ?? []), ...next.list], older: next.older }),
      (cause: unknown) => say(sentenceOf(cause)),
    )
  }
  return (
    <Card title="消息" side={<button type="button" className="link" disabled={unread === 0} onClick={() => void read({ all: 1 })}>全部已读</button>}>
      <div className="choice" role="group" aria-label="显示的消息">
        {[false, true].map(value => <button key={String(value)} type="button" aria-pressed={only === value} onClick={() => { setOnly(value); setMore(undefined) }}>{value ? '未读' : '全部'}</button>)}
      </div>
      {failure !== undefined && !data && <Failed msg={failure} onAgain={again} />}
      {!data && failure === undefined && <Bars rows={5} />}
      {data && rows.length === 0 && <p className="empty">{only ? '没有未读消息' : '还没有消息，与您有关的提醒会显示在这里'}</p>}
      <ul className="lines">{rows.map(row => <Line key={row.message_id} row={row} open={opened === row.message_id} onShow={() => show(row)} />)}</ul>
      {older !== null && <button type="button" className="button" onClick={earlier}>查看更早的消息</button>}
    </Card>
  )
}

function Line({ row, open, onShow }: { row: InboxRow; open: boolean; onShow: () => void }): ReactNode {
  return (
    <li>
      <button type="button" className={row.is_read ? 'line' : 'line line-unread'} aria-expanded={open} onClick={onShow}>
        <span className="words">
          <b>{!row.is_read && <span className="hidden">未读 </span>}{row.title}</b>
          <small className={open ? 'whole' : ''}>{row.body}</small>
          <time dateTime={row.at}>{timeText(row.at)}</time>
        </span>
        {row.level > 1 && <span className="tag tag-warn">{row.level === 3 ? '紧急' : '重要'}</span>}
      </button>
      {open && row.link?.startsWith(phone_pages) && <a className="button" href={row.link}>打开页面</a>}
    </li>
  )
}

/** Pages that need no session; all others are the console's. */
const phone_pages = '/m/'

const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'short' })

function timeText(at: string): string {
  return clock.format(new Date(at))
}
