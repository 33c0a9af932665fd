import type { MyDate } from '@campus/attendance/contract'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { AttendPage } from '../page.ts'
import { schoolToday } from '../page.ts'
import { DayCard } from './my-day.tsx'
import { OfSubject } from './subject.tsx'

const weekdays = ['一', '二', '三', '四', '五', '六', '日']

/** 月历: the days of a month by colour and word; one opens below. */
export function MyMonth(page: AttendPage): ReactNode {
  return (
    <OfSubject {...page}>{({ user_id, user_name }) => <Month key={user_id} {...page} user_id={user_id} user_name={user_name} />}</OfSubject>
  )
}

function Month({ user_id, user_name, ...page }: AttendPage & { user_id: string; user_name: string }): ReactNode {
  const { call } = page
  const [month, turn] = useState(schoolToday().slice(0, 7))
  const [date, choose] = useState<string>()
  const { data, failure, again } = useLoaded(useCallback(() => call('month', { user_id, month }), [call, user_id, month]))
  const go = (by: number) => {
    turn(monthBy(month, by))
    choose(undefined)
  }
  const days = new Map(data?.list.map(one => [one.date, one]))
  const { lead, count } = shapeOf(month)
  return (
    <>
      <Card
        title={`${user_name} ${month}`}
        side={
          <span>
            <button type="button" className="link" onClick={() => go(-1)}>
              上月
            </button>
            <button type="button" className="link" onClick={() => go(1)}>
              下月
            </button>
          </span>
        }
      >
        {!data && (failure === undefined ? <Bars rows={5} /> : <Failed msg={failure} onAgain={again} />)}
        {data && (
          <div className="attend-month">
            {weekdays.map(name => (
              <span key={name}>{name}</span>
            ))}
            {Array.from({ length: lead }, (_, at) => (
              <i key={`lead ${at}`} aria-hidden />
            ))}
            {Array.from({ length: count }, (_, at) => {
              const day = `${month}-${String(at + 1).padStart(2, '0')}`
              return <DayCell key={day} day={day} figures={days.get(day)} chosen={day === date} onChoose={choose} />
            })}
          </div>
        )}
        {data && <p className="attend-why">{summaryOf(data.list)}</p>}
      </Card>
      {date !== undefined && <DayCard key={date} {...page} user_id={user_id} date={date} title={date} />}
    </>
  )
}

type CellProps = { day: string; figures: MyDate | undefined; chosen: boolean; onChoose: (day: string) => void }

function DayCell({ day, figures, chosen, onChoose }: CellProps): ReactNode {
  const [kind, word] = wordOf(figures)
  return (
    <button
      type="button"
      className={kind}
      aria-pressed={chosen}
      disabled={!figures}
      aria-label={`${day} ${word || '无考勤'}`}
      onClick={() => onChoose(day)}
    >
      {Number(day.slice(-2))}
      <small>{word}</small>
    </button>
  )
}

/** The colour of a day and its word: never by colour alone. */
function wordOf(one: MyDate | undefined): readonly [kind: string, word: string] {
  if (!one) return ['', '']
  if (one.absent > 0) return ['bad', `缺${one.absent}`]
  if (one.unverified > 0) return ['late', `核实${one.unverified}`]
  if (one.late > 0) return ['late', `迟${one.late}`]
  if (one.leave > 0) return ['', `假${one.leave}`]
  return one.present > 0 ? ['good', '正常'] : ['', '']
}

function summaryOf(list: readonly MyDate[]): string {
  const sum = (key: Exclude<keyof MyDate, 'date'>) => list.reduce((total, one) => total + one[key], 0)
  return `应到${sum('expected')} 实到${sum('present')} 迟到${sum('late')} 缺勤${sum('absent')} 请假${sum('leave')} 待核实${sum('unverified')}`
}

/** Empty cells before the first of a month, and its days. */
function shapeOf(month: string): { lead: number; count: number } {
  const first = new Date(`${month}-01T00:00:00Z`)
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0))
  return { lead: (first.getUTCDay() + weekdays.length - 1) % weekdays.length, count: last.getUTCDate() }
}

function monthBy(month: string, by: number): string {
  const first = new Date(`${month}-01T00:00:00Z`)
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + by, 1)).toISOString().slice(0, 7)
}
