import { useCallback, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { Toast } from '../../shell/parts.tsx'
import { callerOf } from '../../shell/session.ts'
import type { Live } from '../../shell/session.ts'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { LeaveCall } from '../page.ts'
import { Apply } from './apply.tsx'
import { ClassToday } from './class-today.tsx'
import { Mine } from './mine.tsx'
import { Tasks } from './tasks.tsx'

type Tab = 'apply' | 'mine' | 'tasks' | 'class'
const tabs: readonly [key: Tab, title: string, sign: string][] = [['apply', '申请', '✎'], ['mine', '我的请假', '☰'], ['tasks', '审批', '✓'], ['class', '班级今日', '☺']]
const staff = 2

/** 请假管理 on the phone: one page at a time with the tabs below; parents see no class. */
export function Leave({ live, onStale }: { live: Live; onStale: () => void }): ReactNode {
  const call = useMemo<LeaveCall>(() => callerOf(live, onStale), [live, onStale])
  const [tab, go] = useState<Tab>(live.told.me.user_kind === staff ? 'tasks' : 'apply')
  const [msg, say] = useState('')
  const waiting = useLoaded(useCallback(() => call('tasks', {}), [call]))
  const todo = waiting.data?.todo ?? 0
  const page = { live, call, say }
  const shown = tabs.filter(([key]) => key !== 'class' || live.told.me.user_kind === staff)
  return (
    <div className="hall" data-ready="leave">
      <header className="head"><p>{live.told.school.school_name}</p><h1>请假管理</h1></header>
      <nav className="tabs" aria-label="请假管理">
        {shown.map(([key, title, sign]) => (
          <button key={key} type="button" aria-current={tab === key ? 'page' : undefined} onClick={() => go(key)}>
            <span aria-hidden>{sign}</span>{title}
            {key === 'tasks' && todo > 0 && <b><span className="hidden">，待审批</span>{todo}</b>}
          </button>
        ))}
      </nav>
      <main className="page" tabIndex={-1}>
        {tab === 'apply' && <Apply {...page} onSent={() => go('mine')} />}
        {tab === 'mine' && <Mine {...page} />}
        {tab === 'tasks' && <Tasks {...page} onDecided={waiting.again} />}
        {tab === 'class' && <ClassToday {...page} />}
      </main>
      <Toast msg={msg} onGone={() => say('')} />
    </div>
  )
}
