import type { InboxPost } from '@campus/publishing/contract'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { PushPage } from '../page.ts'
import { kindName, timeText } from '../words.ts'

type Asked = { waiting_only?: '1'; kind?: '3' }
type Props = PushPage & { asked: Asked; must_first: boolean; onOpen: (id: string) => void }

/** What one has received, the latest first; what must be read stands above. A list is no reading. */
export function Inbox({ call, say, asked, must_first, onOpen }: Props): ReactNode {
  const [only, setOnly] = useState(false)
  const [more, setMore] = useState<{ list: InboxPost[]; older: string | null }>()
  const fetchIt = useCallback(() => call('inbox', { ...asked, ...(only ? { unread_only: '1' as const } : {}) }), [call, asked, only])
  const { data, failure, again } = useLoaded(fetchIt)
  const must = useLoaded(useCallback(() => (must_first ? call('mustRead', {}) : Promise.resolve({ list: [] })), [call, must_first]))
  const older = more ? more.older : (data?.older ?? null)
  const above = new Set(must.data?.list.map(row => row.id))
  const rows = [...(data?.list ?? []), ...(more?.list ?? [])].filter(row => !above.has(row.id))
  const earlier = () => {
    if (older === null) return
    call('inbox', { ...asked, ...(only ? { unread_only: '1' as const } : {}), before: older }).then(
      next => setMore({ list: [...(more?.list ?? []), ...next.list], older: next.older }),
      (cause: unknown) => say(sentenceOf(cause)),
    )
  }
  const choose = (value: boolean) => {
    setOnly(value)
    setMore(undefined)
  }
  return (
    <>
      {above.size > 0 && (
        <Card title="必须阅读">
          <Lines rows={must.data?.list ?? []} onOpen={onOpen} />
        </Card>
      )}
      <Card title={must_first ? '全部消息' : asked.kind === undefined ? '等待我处理' : '作业'}>
        <div className="choice" role="group" aria-label="显示的消息">
          {[false, true].map(value => (
            <button key={String(value)} type="button" aria-pressed={only === value} onClick={() => choose(value)}>
              {value ? '未读' : '全部'}
            </button>
          ))}
        </div>
        {failure !== undefined && !data && <Failed msg={failure} onAgain={again} />}
        {!data && failure === undefined && <Bars rows={5} />}
        {data && rows.length === 0 && <p className="empty">{emptyWords(only, asked)}</p>}
        <Lines rows={rows} onOpen={onOpen} />
        {older !== null && (
          <button type="button" className="button" onClick={earlier}>
            查看更早的消息
          </button>
        )}
      </Card>
    </>
  )
}

function emptyWords(only: boolean, { waiting_only, kind }: Asked): string {
  if (only) return '没有未读消息'
  if (waiting_only !== undefined) return '没有需要确认、签名或填写的消息'
  return kind === undefined ? '还没有消息，学校和老师发给您的通知会显示在这里' : '还没有作业'
}

function Lines({ rows, onOpen }: { rows: readonly InboxPost[]; onOpen: (id: string) => void }): ReactNode {
  return (
    <ul className="lines">
      {rows.map(row => (
        <li key={row.id}>
          <button type="button" className={row.is_read ? 'line' : 'line line-unread'} onClick={() => onOpen(row.id)}>
            <span className="words">
              <b>
                {!row.is_read && <span className="hidden">未读 </span>}
                {row.title}
              </b>
              {row.summary !== '' && <small>{row.summary}</small>}
              <time dateTime={row.sent_at}>
                {kindName(row.kind)} · {row.author_name ?? ''} · {timeText(row.sent_at)}
              </time>
            </span>
            <Mark row={row} />
          </button>
        </li>
      ))}
    </ul>
  )
}

function Mark({ row }: { row: InboxPost }): ReactNode {
  if (row.is_recalled) return <span className="tag tag-warn">已撤回</span>
  if (row.waiting > 0) return <span className="tag tag-warn">待处理</span>
  if (row.is_updated) return <span className="tag">已更新</span>
  return row.is_expired && <span className="tag">已过期</span>
}
