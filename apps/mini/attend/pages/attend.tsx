import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { Toast } from '../../shell/parts.tsx'
import { callerOf } from '../../shell/session.ts'
import type { Live } from '../../shell/session.ts'
import type { AttendCall } from '../page.ts'
import { useRolls } from '../use-rolls.ts'
import { Alerts } from './alerts.tsx'
import { ClassToday } from './class-today.tsx'
import { MyDay } from './my-day.tsx'
import { MyMonth } from './my-month.tsx'
import { Requests } from './requests.tsx'
import { Rolls } from './rolls.tsx'
import './attend.css'

type Tab = 'day' | 'month' | 'rolls' | 'class' | 'requests' | 'alerts'
type Shown = readonly [key: Tab, title: string, sign: string, feature: string | null]
const own: readonly Shown[] = [
  ['day', '今天', '◔', null],
  ['month', '月历', '▦', null],
]
const work: readonly Shown[] = [
  ['rolls', '点名', '✓', 'roll'],
  ['class', '班级', '☷', 'class'],
]
const tabs_of: Readonly<Record<string, readonly Shown[]>> = {
  cloudAttend: own,
  cloudStudentAttend: [...work, ...own],
  attendManage: [
    ['class', '班级今日', '☷', 'class'],
    ['rolls', '点名', '✓', 'roll'],
    ['requests', '申请', '✎', 'requests'],
    ['alerts', '预警', '!', 'alerts'],
  ],
}
const staff: readonly number[] = [2, 6, 7]

/** 教职工考勤, 学生考勤 and 考勤管理 on the phone: one frame, the pages by what the sub-application is for and what the person may do. */
export function Attend({ live, onStale }: { live: Live; onStale: () => void }): ReactNode {
  const call = useMemo<AttendCall>(() => callerOf(live, onStale), [live, onStale])
  const { code, title, features } = live.told.app
  const is_staff = staff.includes(live.told.me.user_kind)
  const shown = (tabs_of[code] ?? []).filter(([key, , , feature]) => {
    if (feature !== null) return features.includes(feature)
    // Pupils are looked at by their families here; staff have 教职工考勤 for themselves.
    return code === 'cloudAttend' || !is_staff || (key !== 'day' && key !== 'month') || live.told.me.children.length > 0
  })
  const [tab, go] = useState<Tab | undefined>(shown[0]?.[0])
  const [msg, say] = useState('')
  const page = { live, call, say }
  const rolls = useRolls(page, features.includes('roll'))
  return (
    <div className="hall" data-ready={code}>
      <header className="head">
        <p>{live.told.school.school_name}</p>
        <h1>{title}</h1>
      </header>
      {shown.length > 1 && (
        <nav className="tabs" aria-label={title}>
          {shown.map(([key, name, sign]) => (
            <button key={key} type="button" aria-current={tab === key ? 'page' : undefined} onClick={() => go(key)}>
              <span aria-hidden>{sign}</span>
              {name}
              {key === 'rolls' && rolls.queue.length > 0 && (
                <b>
                  <span className="hidden">，待发送</span>
                  {rolls.queue.length}
                </b>
              )}
            </button>
          ))}
        </nav>
      )}
      <main className="page" tabIndex={-1}>
        {tab === undefined && <p className="empty">您还没有考勤权限，请联系学校管理员</p>}
        {tab === 'day' && <MyDay {...page} />}
        {tab === 'month' && <MyMonth {...page} />}
        {tab === 'rolls' && <Rolls {...page} rolls={rolls} />}
        {tab === 'class' && (
          <ClassToday {...page} rolls={rolls} may_roll={features.includes('roll')} may_correct={features.includes('correct')} />
        )}
        {tab === 'requests' && <Requests {...page} />}
        {tab === 'alerts' && <Alerts {...page} />}
      </main>
      <Toast msg={msg} onGone={() => say('')} />
    </div>
  )
}
