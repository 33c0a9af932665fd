import { useCallback, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { Toast } from '../../shell/parts.tsx'
import { callerOf } from '../../shell/session.ts'
import type { Live } from '../../shell/session.ts'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { PushCall } from '../page.ts'
import { homework } from '../words.ts'
import { Inbox } from './inbox.tsx'
import { Post } from './post.tsx'
import './push-message.css'

type Tab = 'all' | 'todo' | 'homework'
const tabs: readonly [key: Tab, title: string, sign: string][] = [
  ['all', '收件箱', '✉'],
  ['todo', '待办', '✓'],
  ['homework', '作业', '✎'],
]
const asked = { all: {}, todo: { waiting_only: '1' }, homework: { kind: homework } } as const

/** 消息推送 on the phone: what one has received, what one owes, and homework; a post opens in their place. */
export function PushMessage({ live, onStale }: { live: Live; onStale: () => void }): ReactNode {
  const call = useMemo<PushCall>(() => callerOf(live, onStale), [live, onStale])
  const [tab, go] = useState<Tab>('all')
  const [opened, open] = useState<string>()
  const [msg, say] = useState('')
  const { data: counts, again } = useLoaded(useCallback(() => call('unread', {}), [call]))
  const page = { live, call, say }
  const badges: Readonly<Record<string, number>> = { all: counts?.unread ?? 0, todo: counts?.waiting ?? 0 }
  const choose = (key: Tab) => {
    open(undefined)
    go(key)
  }
  const back = () => {
    open(undefined)
    again()
  }
  return (
    <div className="hall" data-ready="push-message">
      <header className="head">
        <p>{live.told.school.school_name}</p>
        <h1>消息推送</h1>
      </header>
      <nav className="tabs" aria-label="消息推送">
        {tabs.map(([key, title, sign]) => (
          <button key={key} type="button" aria-current={tab === key ? 'page' : undefined} onClick={() => choose(key)}>
            <span aria-hidden>{sign}</span>
            {title}
            {(badges[key] ?? 0) > 0 && (
              <b>
                <span className="hidden">{key === 'all' ? '，未读' : '，待处理'}</span>
                {badges[key]}
              </b>
            )}
          </button>
        ))}
      </nav>
      <main className="page" tabIndex={-1}>
        {opened === undefined ? (
          <Inbox key={tab} {...page} asked={asked[tab]} must_first={tab === 'all'} onOpen={open} />
        ) : (
          <Post {...page} id={opened} onBack={back} onRead={again} />
        )}
      </main>
      <Toast msg={msg} onGone={() => say('')} />
    </div>
  )
}
