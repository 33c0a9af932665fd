import { useCallback, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { Toast } from '../../shell/parts.tsx'
import { callerOf } from '../../shell/session.ts'
import type { Live } from '../../shell/session.ts'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { HallCall, HallPage, Tab } from '../page.ts'
import { Cards } from './cards.tsx'
import { Catalogue } from './catalogue.tsx'
import { Duties } from './duties.tsx'
import { Elective } from './elective.tsx'
import { Timetable } from './timetable.tsx'
import { Faces } from './faces.tsx'
import { Home } from './home.tsx'
import { Inbox } from './inbox.tsx'
import { Mine } from './mine.tsx'
import { Scores } from './scores.tsx'

const tabs: readonly [key: Tab, title: string, sign: string][] = [['home', '首页', '⌂'], ['catalogue', '服务目录', '▦'], ['inbox', '消息', '✉'], ['mine', '我的', '☺']]
/** Pages without a tab of their own. */
const inner: readonly Tab[] = ['cards', 'faces', 'elective', 'timetable', 'scores', 'duties']
const most_shown = 99
const look_ms = 30_000

/** 办事大厅: one page at a time with the tabs below it on a phone, beside it on a desk. Each step is an entry of the browser's history. */
export function Hall({ live, onStale, onLeft }: { live: Live; onStale: () => void; onLeft: () => void }): ReactNode {
  const call = useMemo<HallCall>(() => callerOf(live, onStale), [live, onStale])
  const [tab, go] = useTab()
  const [msg, say] = useState('')
  const [unread, look] = useUnread(call)
  const { school } = live.told
  const page: HallPage = { live, call, unread, onRead: look, go, say }
  return (
    <div className="hall" data-ready="hall">
      <header className="head">
        {school.logo !== null && <img src={school.logo} alt="" />}
        <p>{school.school_name}</p>
        <h1>办事大厅</h1>
      </header>
      <nav className="tabs" aria-label="办事大厅">
        {tabs.map(([key, title, sign]) => (
          <button key={key} type="button" aria-current={tab === key || (key === 'mine' && inner.includes(tab)) ? 'page' : undefined} onClick={() => go(key)}>
            <span aria-hidden>{sign}</span>
            {title}
            {key === 'inbox' && unread > 0 && <b><span className="hidden">，未读</span>{unread > most_shown ? `${most_shown}+` : unread}</b>}
          </button>
        ))}
      </nav>
      <main className="page" tabIndex={-1}>
        {tab === 'home' && <Home {...page} />}
        {tab === 'catalogue' && <Catalogue {...page} />}
        {tab === 'inbox' && <Inbox {...page} />}
        {tab === 'mine' && <Mine {...page} onLeft={onLeft} />}
        {tab === 'cards' && <Cards {...page} />}
        {tab === 'faces' && <Faces {...page} />}
        {tab === 'elective' && <Elective {...page} />}
        {tab === 'timetable' && <Timetable {...page} />}
        {tab === 'scores' && <Scores {...page} />}
        {tab === 'duties' && <Duties {...page} />}
      </main>
      <Toast msg={msg} onGone={() => say('')} />
    </div>
  )
}

/** The tab of the address, so that the back gesture goes back one step. */
function useTab(): [Tab, (tab: Tab) => void] {
  const [tab, setTab] = useState(tabOfAddress)
  useEffect(() => {
    const follow = () => setTab(tabOfAddress())
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  return [tab, key => window.location.assign(`#${key}`)]
}

function tabOfAddress(): Tab {
  return [...tabs.map(([key]) => key), ...inner].find(key => `#${key}` === window.location.hash) ?? 'home'
}

/** Looked up every half minute while the page is seen; a failure leaves the number as it was. */
function useUnread(call: HallCall): [number, () => void] {
  const fetchIt = useCallback(() => call('unread', {}), [call])
  const { data, again } = useLoaded(fetchIt)
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && again()
    const timer = window.setInterval(look, look_ms)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [again])
  return [data?.unread ?? 0, again]
}
