import type { MyOffer, MyTask } from '@campus/teaching/contract'
import { useCallback, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { HallPage } from '../page.ts'

const states: Readonly<Record<number, string>> = { 1: '未开始', 2: '选课中', 3: '已结束', 4: '已公布' }
const seats: Readonly<Record<number, string>> = { 1: '已选', 2: '志愿', 3: '候补', 4: '中签', 5: '落选' }
const kept: readonly number[] = [1, 3, 4]
const [open, lottery] = [2, 2] as const
const look_ms = 3000
const weekdays = ['', '周一', '周二', '周三', '周四', '周五', '周六', '周日']

/** 选课: my tasks or those of my child; one opens in its place. */
export function Elective(page: HallPage): ReactNode {
  const { call, go } = page
  const [chosen, choose] = useState<MyTask>()
  const { data, failure, again } = useLoaded(useCallback(() => call('electives', {}), [call]))
  const back = () => {
    choose(undefined)
    again()
  }
  if (chosen) return <Offers {...page} task={chosen} onBack={back} />
  if (!data) return failure === undefined ? <Bars rows={4} /> : <Failed msg={failure} onAgain={again} />
  const several = new Set(data.list.map(task => task.student_id)).size > 1
  return (
    <>
      <button type="button" className="link" onClick={() => go('mine')}>返回我的</button>
      <Card title="选课">
        {data.list.length === 0 && <p className="empty">现在没有需要选择的课程</p>}
        <ul className="lines">
          {data.list.map(task => (
            <li key={`${task.id}-${task.student_id}`}>
              <button type="button" className="line" onClick={() => choose(task)}>
                <span className="words"><b>{several ? `${task.student_name}：${task.name}` : task.name}</b><small>{timesOf(task)}，{task.picks === 0 ? '尚未选择' : `已选${task.picks}门`}</small></span>
                <span className={task.state === open ? 'tag tag-warn' : 'tag'}>{task.paused
                  && task.state === 1 ? '已暂停' : states[task.state]}</span>
              </button>
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}

function timesOf({ open_at, close_at }: Pick<MyTask, 'open_at' | 'close_at'>): string {
  return `${clockText(open_at)} 至 ${clockText(close_at)}`
}

function clockText(instant: string): string {
  return new Intl.DateTimeFormat('zh-CN',
    { timeZone: 'Asia/Shanghai', month: 'numeric', day: 'numeric', hour: '2-digit', minute: '2-digit',
    hour12: false }).format(new Date(instant))
}

type TaskProps = HallPage & { task: MyTask; onBack: () => void }

/** One task: what it offers, seats left, mine; asked again every few seconds while it is open. */
function Offers({ call, say, task, onBack }: TaskProps): ReactNode {
  const [busy, setBusy] = useState(false)
  const who = { task_id: task.id, student_id: task.student_id }
  const { data, failure,
    again } = useLoaded(useCallback(() => call('offers', { task_id: task.id, student_id: task.student_id }),
    [call, task.id, task.student_id]))
  useEffect(() => {
    if (task.state !== open) return
    const timer = window.setInterval(() => document.visibilityState === 'visible' && again(), look_ms)
    return () => window.clearInterval(timer)
  }, [task.state, again])
  const run = async (act: () => Promise<string>) => {
    setBusy(true)
    try {
      say(await act())
    } catch (cause) {
      say(sentenceOf(cause))
    }
    setBusy(false)
    again()
  }
  if (!data) return failure === undefined ? <Bars rows={5} /> : <Failed msg={failure} onAgain={again} />
  const wishes = data.list.filter(one => one.mine?.state === 2).toSorted((a, b) => (a.mine?.rank ?? 0) - (b.mine?.rank ?? 0))
    .map(one => one.id)
  const send = (offer_ids: string[]) => run(async () => `已填报${(await call('wish', { ...who, offer_ids })).wishes}个志愿`)
  const pick = (offer: MyOffer) => run(async () => ((await call('pick',
    { offer_id: offer.id, student_id: task.student_id })).state === 3 ? '名额已满，已进入候补' : '选课成功'))
  const drop = (offer: MyOffer) => run(async () => {
    await call('drop', { offer_id: offer.id, student_id: task.student_id })
    return '已退选'
  })
  const acts = { pick, drop, wish: (offer: MyOffer) => send([...wishes, offer.id]),
    unwish: (offer: MyOffer) => send(wishes.filter(id => id !== offer.id)) }
  return (
    <>
      <button type="button" className="link" onClick={onBack}>返回选课</button>
      <Card title={task.name}>
        <p>{timesOf(task)}</p>
        <p>{task.mode === lottery ? `按顺序填报，最多${task.wishes}个志愿，结束后统一抽签` : `最多选${task.max_pick}门${task.waitlist ? '，满额后可候补' : ''}`}</p>
        {task.note !== '' && <p>{task.note}</p>}
        {data.list.length === 0 && <p className="empty">没有可选的课程</p>}
        <ul className="lines">
          {data.list.map(offer => <li key={offer.id} className="line"><Words offer={offer} is_lottery={task.mode === lottery} /><Act
            offer={offer} task={task} busy={busy} wishes={wishes.length} {...acts} /></li>)}
        </ul>
      </Card>
      {task.seed_hash !== null && <p className="empty">抽签校验值 {task.seed_hash.slice(0, 16)}…，抽签后可在公示地址核对</p>}
    </>
  )
}

function Words({ offer, is_lottery }: { offer: MyOffer; is_lottery: boolean }): ReactNode {
  const times = offer.slots.map(slot => `${weekdays[slot.weekday] ?? ''}第${slot.section}节`).join('、')
  const about = [offer.teachers.map(one => one.user_name).join('、'), offer.place_name ?? '', times].filter(Boolean).join(' · ')
  const left = is_lottery ? `名额${offer.capacity}，已报${offer.wished}` : `余${offer.left}/${offer.capacity}`
  return <span className="words"><b>{offer.title}</b><small>{[left, about].filter(Boolean).join(' · ')}</small>{offer.mine === null
    && offer.why_not !== null && <small>{offer.why_not}</small>}</span>
}

type ActProps = { offer: MyOffer; task: MyTask; busy: boolean; wishes: number; pick: (offer: MyOffer) => unknown; drop: (offer: MyOffer) => unknown; wish: (offer: MyOffer) => unknown; unwish: (offer: MyOffer) => unknown }

function Act({ offer, task, busy, wishes, pick, drop, wish, unwish }: ActProps): ReactNode {
  const { mine } = offer
  const button = (text: string, act: (one: MyOffer) => unknown, first = false) => (
    <button type="button" className={first ? 'button button-first' : 'button'} aria-label={`${text} ${offer.title}`} disabled={busy}
      onClick={() => void act(offer)}>{text}</button>
  )
  const tag = mine && <span
    className="tag">{mine.state === 2 ? `第${mine.rank}志愿` : mine.state === 3 ? `候补${mine.wait_no ?? ''}` : seats[mine.state]}</span>
  if (task.state !== open) return tag
  if (task.mode === lottery) {
    if (mine?.state === 2) return <>{tag}{button('取消', unwish)}</>
    return wishes < task.wishes && offer.why_not === null ? button('填报', wish, true) : tag
  }
  if (mine && kept.includes(mine.state)) return <>{tag}{button('退选', drop)}</>
  if (offer.why_not !== null) return null
  if (offer.left > 0) return button('选择', pick, true)
  return task.waitlist ? button('候补', pick) : <span className="tag">已满</span>
}
