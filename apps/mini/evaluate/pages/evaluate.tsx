import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { Toast } from '../../shell/parts.tsx'
import { callerOf } from '../../shell/session.ts'
import type { Live } from '../../shell/session.ts'
import type { EvaluatePage } from '../page.ts'
import { Give } from './give.tsx'
import { MyStars } from './my-stars.tsx'
import { Ranking } from './ranking.tsx'
import { Records } from './records.tsx'

type Tab = 'give' | 'records' | 'ranking' | 'mine'
const tabs: readonly [key: Tab, title: string, sign: string][] = [
  ['give', '评价', '★'],
  ['records', '记录', '☰'],
  ['ranking', '排行', '▲'],
  ['mine', '我的星', '☺'],
]
const needs: Readonly<Record<Tab, string | null>> = { give: 'give', records: 'view', ranking: 'view', mine: null }
const staff = 2

/** 综合评价 on the phone: teachers give and look, pupils and parents see their own and object. */
export function Evaluate({ live, onStale }: { live: Live; onStale: () => void }): ReactNode {
  const call = useMemo<EvaluatePage['call']>(() => callerOf(live, onStale), [live, onStale])
  const { features } = live.told.app
  const is_staff = live.told.me.user_kind === staff
  const shown = tabs.filter(([key]) => {
    const need = needs[key]
    return need === null ? !is_staff : is_staff && features.includes(need)
  })
  const [tab, go] = useState<Tab | undefined>(shown[0]?.[0])
  const [msg, say] = useState('')
  const page = { call, say }
  return (
    <div className="hall" data-ready="evaluate">
      <header className="head">
        <p>{live.told.school.school_name}</p>
        <h1>综合评价</h1>
      </header>
      {shown.length > 1 && (
        <nav className="tabs" aria-label="综合评价">
          {shown.map(([key, title, sign]) => (
            <button key={key} type="button" aria-current={tab === key ? 'page' : undefined} onClick={() => go(key)}>
              <span aria-hidden>{sign}</span>
              {title}
            </button>
          ))}
        </nav>
      )}
      <main className="page" tabIndex={-1}>
        {tab === undefined && <p className="empty">您还没有评价权限，请联系学校管理员</p>}
        {tab === 'give' && <Give {...page} />}
        {tab === 'records' && <Records {...page} />}
        {tab === 'ranking' && <Ranking {...page} />}
        {tab === 'mine' && <MyStars {...page} />}
      </main>
      <Toast msg={msg} onGone={() => say('')} />
    </div>
  )
}
