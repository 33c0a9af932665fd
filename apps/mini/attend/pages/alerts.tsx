import type { AlertRow } from '@campus/attendance/contract'
import { useCallback } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { AttendPage } from '../page.ts'
import { timeText } from '../page.ts'

const kinds: Readonly<Record<string, string>> = {
  missing_in_school: '在校缺课',
  consecutive: '连续缺勤',
  proxy_suspect: '疑似代打卡',
  unit_stuck: '考勤未结算',
}
const most = 50

/** 预警: pupils somebody should look after now, each taken over by a tap. */
export function Alerts({ call, say }: AttendPage): ReactNode {
  const { data, failure, again } = useLoaded(useCallback(() => call('alerts', { page_size: most, state: 'open' }), [call]))
  if (!data) return failure === undefined ? <Bars rows={4} /> : <Failed msg={failure} onAgain={again} />
  const take = (one: AlertRow) => {
    const taken = () => {
      say('已登记由您处理')
      again()
    }
    call('ack', { id: one.alert_id, note: '' }).then(taken, (cause: unknown) => say(sentenceOf(cause)))
  }
  return (
    <Card
      title={`预警 ${data.total}`}
      side={
        <button type="button" className="link" onClick={again}>
          刷新
        </button>
      }
    >
      {data.list.length === 0 && <p className="empty">没有待处理的预警</p>}
      <ul className="lines">
        {data.list.map(one => (
          <li key={one.alert_id} className="line">
            <span className="words">
              <b>
                {one.user_name} {one.dept_name}
              </b>
              <small>
                {kinds[one.kind]}：{one.text}
              </small>
              <small>{timeText(one.raised_at)}</small>
            </span>
            <button type="button" className="button" onClick={() => take(one)}>
              我来处理
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
