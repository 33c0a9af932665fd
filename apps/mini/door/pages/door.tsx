import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { Toast } from '../../shell/parts.tsx'
import { callerOf } from '../../shell/session.ts'
import type { Live } from '../../shell/session.ts'
import type { DoorPage } from '../page.ts'
import { Adults } from './adults.tsx'
import { Code } from './code.tsx'
import { Doors } from './doors.tsx'
import { Passes } from './passes.tsx'

type Tab = 'doors' | 'passes' | 'code' | 'adults'
const titles: Readonly<Record<Tab, readonly [title: string, sign: string]>> = {
  doors: ['我的门', '▣'],
  passes: ['今日通行', '☰'],
  code: ['扫码开门', '⌗'],
  adults: ['接送人', '☺'],
}
const parent = 3

/** 智能门锁 on the phone: who looks after doors opens them, everybody opens by the code at a door, parents say who may fetch their children. */
export function Door({ live, onStale }: { live: Live; onStale: () => void }): ReactNode {
  const call = useMemo<DoorPage['call']>(() => callerOf(live, onStale), [live, onStale])
  const { app, me, school } = live.told
  const scanned = useMemo(() => new URLSearchParams(window.location.search).get('t'), [])
  const has = (code: string) => app.features.includes(code)
  const shown: Tab[] = [
    ...(has('view') ? (['doors'] as const) : []),
    ...(has('passes') ? (['passes'] as const) : []),
    'code',
    ...(me.user_kind === parent ? (['adults'] as const) : []),
  ]
  const [tab, go] = useState<Tab | undefined>(scanned === null ? shown[0] : 'code')
  const [msg, say] = useState('')
  const page = { call, say }
  return (
    <div className="hall" data-ready="door">
      <header className="head">
        <p>{school.school_name}</p>
        <h1>智能门锁</h1>
      </header>
      {shown.length > 1 && (
        <nav className="tabs" aria-label="智能门锁">
          {shown.map(key => (
            <button key={key} type="button" aria-current={tab === key ? 'page' : undefined} onClick={() => go(key)}>
              <span aria-hidden>{titles[key][1]}</span>
              {titles[key][0]}
            </button>
          ))}
        </nav>
      )}
      <main className="page" tabIndex={-1}>
        {tab === 'doors' && <Doors {...page} may_open={has('open')} />}
        {tab === 'passes' && <Passes {...page} />}
        {tab === 'code' && <Code {...page} scanned={scanned} />}
        {tab === 'adults' && <Adults {...page} />}
      </main>
      <Toast msg={msg} onGone={() => say('')} />
    </div>
  )
}
