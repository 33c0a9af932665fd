import type { RollCall, Seat, Tile } from '@campus/attendance/contract'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { AttendPage } from '../page.ts'
import { hourText, schoolToday, stateName, stateTag } from '../page.ts'
import type { RollBox } from '../use-rolls.ts'
import { RollForm } from './roll-form.tsx'
import { WishForm } from './wish-form.tsx'

type Props = AttendPage & { rolls: RollBox; may_roll: boolean; may_correct: boolean }
const looked_at: readonly number[] = [2, 3, 4, 10]

/** 班级今日: every class one may see in a lesson or slot; one opens in its place with names. */
export function ClassToday(page: Props): ReactNode {
  const { call } = page
  const [slot, choose] = useState<string>()
  const [opened, open] = useState<Tile>()
  const slots = useLoaded(useCallback(() => call('slots', {}), [call]))
  const { data, failure, again } = useLoaded(useCallback(() => call('tiles', slot === undefined ? {} : { slot }), [call, slot]))
  if (opened && data) return <OneClass {...page} tile={opened} slot={slot ?? data.slot} onBack={() => open(undefined)} />
  return (
    <>
      {slots.data && slots.data.slots.length > 0 && (
        <div className="attend-slots" role="group" aria-label="节次">
          {slots.data.slots.map(one => (
            <button key={one.key} type="button" aria-pressed={(slot ?? data?.slot) === one.key} onClick={() => choose(one.key)}>
              {one.name}
              {one.is_now ? '·现在' : ''}
            </button>
          ))}
        </div>
      )}
      <Card
        title={`班级今日 ${data?.date ?? ''}`}
        side={
          <button type="button" className="link" onClick={again}>
            刷新
          </button>
        }
      >
        {!data && (failure === undefined ? <Bars rows={5} /> : <Failed msg={failure} onAgain={again} />)}
        {data?.list.length === 0 && <p className="empty">没有您可以查看的班级</p>}
        <ul className="lines">
          {data?.list.map(one => (
            <li key={one.dept_id}>
              <button type="button" className="line" onClick={() => open(one)}>
                <span className="words">
                  <b>
                    {one.dept_name} {one.title}
                  </b>
                  <small>{figuresOf(one)}</small>
                </span>
                <span className={one.absent + one.missing > 0 ? 'tag tag-warn' : 'tag'}>
                  {one.expected === 0 ? '无课' : `${one.present}/${one.expected}`}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}

function figuresOf({ late, absent, leave, unverified, missing, waiting }: Tile): string {
  const figures: readonly [string, number][] = [
    ['迟到', late],
    ['缺勤', absent],
    ['请假', leave],
    ['待核实', unverified],
    ['在校缺课', missing],
    ['未到时间', waiting],
  ]
  return (
    figures
      .filter(([, n]) => n > 0)
      .map(([name, n]) => `${name}${n}`)
      .join(' ') || '无异常'
  )
}

/** The names of a class in a slot: who is missing and why; its roll can be taken here. */
function OneClass({ tile, slot, onBack, ...page }: Props & { tile: Tile; slot: string | null; onBack: () => void }): ReactNode {
  const { call, say, may_roll, rolls } = page
  const { dept_id } = tile
  const fetchIt = useCallback(() => call('ofClass', { dept_id, ...(slot === null ? {} : { slot }) }), [call, dept_id, slot])
  const { data, failure, again } = useLoaded(fetchIt)
  const [roll, setRoll] = useState<RollCall>()
  const [all, showAll] = useState(false)
  if (roll) {
    const back = () => {
      setRoll(undefined)
      again()
    }
    return <RollForm roll={roll} rolls={rolls} onBack={back} />
  }
  const lesson_day_id = data?.lesson_day_id ?? null
  const take = () => {
    if (lesson_day_id !== null) call('roll', { lesson_day_id }).then(setRoll, (cause: unknown) => say(sentenceOf(cause)))
  }
  const seats = data?.list.filter(one => all || looked_at.includes(one.state)) ?? []
  return (
    <Card
      title={tile.dept_name}
      side={
        <button type="button" className="link" onClick={onBack}>
          返回
        </button>
      }
    >
      {!data && (failure === undefined ? <Bars rows={5} /> : <Failed msg={failure} onAgain={again} />)}
      {data?.list.length === 0 && <p className="empty">本节没有需要考勤的学生</p>}
      {data && data.list.length > 0 && seats.length === 0 && <p className="empty">本节没有异常</p>}
      <ul className="lines">
        {seats.map(one => (
          <OneSeat key={`${one.occurrence_id}-${one.user_id}`} {...page} seat={one} onChanged={again} />
        ))}
      </ul>
      {data && data.list.length > 0 && (
        <ClassActs
          all={all}
          count={data.list.length}
          onAll={() => showAll(!all)}
          onRoll={may_roll && lesson_day_id !== null ? take : undefined}
        />
      )}
    </Card>
  )
}

type ActsProps = { all: boolean; count: number; onAll: () => void; onRoll: (() => void) | undefined }

function ClassActs({ all, count, onAll, onRoll }: ActsProps): ReactNode {
  return (
    <div className="leave-acts">
      <button type="button" className="button" onClick={onAll}>
        {all ? '只看异常' : `查看全部${count}人`}
      </button>
      {onRoll && (
        <button type="button" className="button button-first" onClick={onRoll}>
          点名
        </button>
      )}
    </div>
  )
}

function OneSeat({ call, say, seat, may_correct, onChanged }: Props & { seat: Seat; onChanged: () => void }): ReactNode {
  const [why, setWhy] = useState<string>()
  const [is_open, open] = useState(false)
  const { user_id, expect_kind, occurrence_id } = seat
  const key = { lesson_date: schoolToday(), expect_kind, occurrence_id, user_id }
  const look = () => {
    call('why', key).then(
      found => setWhy(found.sentence || '没有更多依据'),
      (cause: unknown) => say(sentenceOf(cause)),
    )
  }
  return (
    <li className="attend-row">
      <header>
        <b>{seat.user_name}</b>
        <span className={stateTag(seat.state)}>
          {stateName(seat.state)}
          {seat.late_min > 0 ? ` ${seat.late_min}分` : ''}
          {seat.provisional ? '（暂定）' : ''}
        </span>
      </header>
      <p className="attend-why">
        {seat.in_at !== null && `${hourText(seat.in_at)}打卡 `}
        {why ?? (
          <button type="button" className="link" onClick={look}>
            为什么
          </button>
        )}
        {may_correct && looked_at.includes(seat.state) && (
          <button type="button" className="link" onClick={() => open(!is_open)}>
            更正
          </button>
        )}
      </p>
      {is_open && (
        <WishForm
          say={say}
          ok="更正"
          send={wish => call('correct', { rows: [key], ...wish })}
          onSent={onChanged}
          onClose={() => open(false)}
        />
      )}
    </li>
  )
}
