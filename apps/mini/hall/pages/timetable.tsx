import type { DayLesson } from '@campus/teaching/contract'
import { Fragment, useCallback, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { HallPage } from '../page.ts'
import { ChangeForm, OwnRequests } from './change-request.tsx'

const states: Readonly<Record<number, string>> = { 2: '代课', 3: '调入', 5: '停课', 6: '加课', 7: '自习', 8: '换教室' }
const [cancelled, refreshed_ms] = [5, 10_000] as const
const weekdays = ['周日', '周一', '周二', '周三', '周四', '周五', '周六']
const day_ms = 86_400_000
const zone_ms = 8 * 3_600_000
const dayOf = (at: number) => new Date(at + zone_ms).toISOString().slice(0, 10)

/** 课表: what takes place on a day for me or a child of mine, changes included. */
export function Timetable({ live, call, go, say }: HallPage): ReactNode {
  const [changing, change] = useState<string>()
  const [day, turn] = useState(() => dayOf(Date.now()))
  const [who, choose] = useState<string>()
  const { data, failure, again } = useLoaded(useCallback(() => call('lessons', { from: day, to: day, ...(who === undefined
    ? {} : { user_id: who }) }), [call, day, who]))
  useEffect(() => {
    const seen = () => document.visibilityState === 'visible' && again()
    const timer = window.setInterval(seen, refreshed_ms)
    document.addEventListener('visibilitychange', seen)
    return () => {
      window.clearInterval(timer)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [again])
  const move = (by: number) => turn(dayOf(Date.parse(`${day}T00:00:00+08:00`) + by * day_ms))
  const weekday = weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? ''
  return (
    <>
      <button type="button" className="link" onClick={() => go('mine')}>返回我的</button>
      <AskedCovers call={call} say={say} onDone={again} />
      <OwnRequests key={changing ?? ''} call={call} say={say} />
      <Card title={`${day} ${weekday}`}>
        <p>
          <button type="button" className="link" onClick={() => move(-1)}>前一天</button> <button type="button" className="link"
            onClick={() => move(1)}>后一天</button>
        </p>
        {data && data.people.length > 1 && <p>{data.people.map(one => <button key={one.user_id} type="button" className="link"
          aria-pressed={one.user_id === data.user_id} onClick={() => choose(one.user_id)}>{one.user_name}</button>)}</p>}
        {!data && (failure === undefined ? <Bars rows={4} /> : <Failed msg={failure} onAgain={again} />)}
        {data?.list.length === 0 && <p className="empty">这一天没有课</p>}
        <ul className="lines">{data?.list.map(one => (
          <Fragment key={one.lesson_day_id}>
            <Line lesson={one} onChange={mayChange(one, live.told.me.user_id) ? () => change(one.lesson_day_id) : undefined} />
            {changing === one.lesson_day_id
              && <li><ChangeForm call={call} say={say} lesson={one} onDone={() => { change(undefined); again() }} /></li>}
          </Fragment>
        ))}</ul>
      </Card>
    </>
  )
}

/** A lesson that I teach, as planned and not begun. */
function mayChange({ state, begin_at, teachers }: DayLesson, user_id: string): boolean {
  return state === 1 && Date.parse(begin_at) > Date.now() && teachers.some(one => one.user_id === user_id)
}

/** Lessons that I am asked to take or to swap: the timetable changes when I agree, and the office for a swap. */
function AskedCovers({ call, say, onDone }: Pick<HallPage, 'call' | 'say'> & { onDone: () => void }): ReactNode {
  const { data, again } = useLoaded(useCallback(() => call('askedCovers', {}), [call]))
  const answer = async (id: string, agreed: boolean) => {
    try {
      await call('answerCover', { id, agreed })
      say(agreed ? '已同意' : '已谢绝')
    } catch (cause) {
      say(sentenceOf(cause))
    }
    again()
    onDone()
  }
  return data?.list.map(({ id, lesson, other, by_name, from_name, reason }) => (
    <Card key={id} title={`${by_name}${other === null ? '请您代课' : '请与您对调'}`}>
      <p>
        {lesson.date} 第{lesson.section}节 {lesson.class_name} {lesson.course_name}
        {other === null ? `（原教师${from_name}）` : `，换对方的${other.date} 第${other.section}节 ${other.course_name}`}。{reason}
      </p>
      <div className="leave-acts">
        <button type="button" className="button" onClick={() => void answer(id, false)}>谢绝</button>
        <button type="button" className="button button-first" onClick={() => void answer(id, true)}>同意</button>
      </div>
    </Card>
  ))
}

function Line({ lesson: { state, section, begin_at, end_at, course_name, class_name, place_name, teachers },
  onChange }: { lesson: DayLesson; onChange: (() => void) | undefined }): ReactNode {
  const clock = (at: string) => new Date(Date.parse(at) + zone_ms).toISOString().slice(11, 16)
  const facts = [`第${section}节 ${clock(begin_at)}–${clock(end_at)}`, teachers.map(one => one.user_name).join('、'), place_name ?? '',
    class_name].filter(Boolean).join(' · ')
  return (
    <li className="line">
      <span className="words"><b>{course_name}</b><small>{facts}</small></span>
      {state !== 1 && <span className={state === cancelled ? 'tag tag-warn' : 'tag'}>{states[state] ?? ''}</span>}
      {onChange && <button type="button" className="link" aria-label={`申请调课 ${course_name} 第${section}节`} onClick={onChange}>申请调课</button>}
    </li>
  )
}
