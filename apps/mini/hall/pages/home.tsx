import { useCallback } from 'react'
import type { ReactNode } from 'react'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { HallPage } from '../page.ts'
import { Tiles } from './tiles.tsx'

const most_waiting = 3
const parts_of_day: readonly [before: number, word: string][] = [[5, '夜深了'], [11, '早上好'], [13, '中午好'], [18, '下午好'], [24, '晚上好']]

/** 首页: who I am here, my children or my class, what waits, and the applications. */
export function Home(page: HallPage): ReactNode {
  const { me, school } = page.live.told
  const is_parent = me.children.length > 0
  return (
    <>
      <section className="hello" aria-label="当前身份">
        <h2>{`${greeting(schoolHour())}，${me.user_name}`}</h2>
        <p>{[me.role_name, me.dept_name, me.head_teacher && `班主任 ${me.head_teacher}`].filter(text => text).join(' · ')}</p>
      </section>
      {is_parent && school.school_type === 1 && (
        <Card title="我的孩子">
          <ul className="lines">
            {me.children.map(child => (
              <li key={child.user_id} className="line">
                <span className="face" aria-hidden>{child.name.slice(-1)}</span>
                <span className="words"><b>{child.name}</b><small>{child.head_teacher === null ? child.dept_name : `${child.dept_name} · 班主任 ${child.head_teacher}`}</small></span>
                <span className="tag">{child.is_guardian ? '监护人' : '家庭成员'}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Waiting {...page} />
      <Card title="应用" side={<button type="button" className="link" onClick={() => page.go('catalogue')}>服务目录</button>}><Tiles {...page} text="" own={false} /></Card>
    </>
  )
}

/** 待办: the unread messages, the newest first; nothing else of this school can wait yet. */
function Waiting({ call, unread, go }: HallPage): ReactNode {
  const fetchIt = useCallback(() => call('inbox', { unread: '1' }), [call])
  const { data, failure, again } = useLoaded(fetchIt)
  return (
    <Card title="待办" side={unread > most_waiting ? <button type="button" className="link" onClick={() => go('inbox')}>{`全部${unread}条`}</button> : undefined}>
      {failure !== undefined && !data && <Failed msg={failure} onAgain={again} />}
      {!data && failure === undefined && <Bars rows={2} />}
      {data?.list.length === 0 && <p className="empty">没有需要处理的事项</p>}
      <ul className="lines">
        {data?.list.slice(0, most_waiting).map(row => (
          <li key={row.message_id}>
            <button type="button" className="line" onClick={() => go('inbox')}>
              <span className="words"><b>{row.title}</b><small>{row.body}</small></span>
              {row.level > 1 && <span className="tag tag-warn">{row.level === 3 ? '紧急' : '重要'}</span>}
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Clocks of the school: Asia/Shanghai. */
function schoolHour(): number {
  return Number(new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Shanghai', hour: '2-digit' }).format(new Date()))
}

function greeting(hour: number): string {
  return parts_of_day.find(([before]) => hour < before)?.[1] ?? '您好'
}
