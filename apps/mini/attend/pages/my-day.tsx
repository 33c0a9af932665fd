import type { MyRow } from '@campus/attendance/contract'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { AttendPage } from '../page.ts'
import { hourText, requestName, schoolToday, stateName, stateTag } from '../page.ts'
import { SignIn } from './sign-in.tsx'
import { OfSubject } from './subject.tsx'
import { WishForm } from './wish-form.tsx'

/** 今天: what was expected of me or my child, how it stands and why; signing in by the code or the position of a place. */
export function MyDay(page: AttendPage): ReactNode {
  const { live } = page
  return (
    <OfSubject {...page}>
      {({ user_id, user_name }) => (
        <>
          {user_id === live.told.me.user_id && <SignIn {...page} />}
          <DayCard key={user_id} {...page} user_id={user_id} date={schoolToday()} title={`${user_name} 今天`} />
        </>
      )}
    </OfSubject>
  )
}

type DayProps = AttendPage & { user_id: string; date: string; title: string }

/** One day of a person: every lesson, slot and sitting with its sentence, and a request for a correction where one may be asked for. */
export function DayCard({ call, say, user_id, date, title }: DayProps): ReactNode {
  const { data, failure, again } = useLoaded(useCallback(() => call('day', { user_id, date }), [call, user_id, date]))
  return (
    <Card
      title={title}
      side={
        <button type="button" className="link" onClick={again}>
          刷新
        </button>
      }
    >
      {!data && (failure === undefined ? <Bars rows={5} /> : <Failed msg={failure} onAgain={again} />)}
      {data?.list.length === 0 && <p className="empty">这一天没有需要考勤的课程或时段</p>}
      <ul className="lines">
        {data?.list.map(one => (
          <Row key={`${one.expect_kind}-${one.occurrence_id}`} one={one} call={call} say={say} onSent={again} />
        ))}
      </ul>
    </Card>
  )
}

function Row({ one, call, say, onSent }: Pick<AttendPage, 'call' | 'say'> & { one: MyRow; onSent: () => void }): ReactNode {
  const [is_open, open] = useState(false)
  const { lesson_date, expect_kind, occurrence_id, user_id } = one
  const row = { lesson_date, expect_kind, occurrence_id, user_id }
  return (
    <li className="attend-row">
      <header>
        <b>
          {hourText(one.begin)} {one.title}
        </b>
        <span className={stateTag(one.state)}>
          {stateName(one.state)}
          {one.late_min > 0 ? ` ${one.late_min}分` : ''}
          {one.provisional ? '（暂定）' : ''}
        </span>
      </header>
      {one.sentence !== '' && <p className="attend-why">{one.sentence}</p>}
      {one.appeal && (
        <p>
          补卡申请：应为{stateName(one.appeal.to_state)}，{requestName(one.appeal.state)}
          {one.appeal.opinion ? `（${one.appeal.opinion}）` : ''}
        </p>
      )}
      {one.may_appeal && !is_open && (
        <button type="button" className="link" onClick={() => open(true)}>
          申请更正
        </button>
      )}
      {is_open && (
        <WishForm say={say} ok="提交申请" send={wish => call('appeal', { row, ...wish })} onSent={onSent} onClose={() => open(false)} />
      )}
    </li>
  )
}
