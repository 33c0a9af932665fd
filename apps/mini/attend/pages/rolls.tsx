import type { RollCall } from '@campus/attendance/contract'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { AttendPage } from '../page.ts'
import { hourText, timeText } from '../page.ts'
import type { KeptRoll } from '../roll-queue.ts'
import type { RollBox } from '../use-rolls.ts'
import { RollForm } from './roll-form.tsx'

const roll_states: Readonly<Record<string, string>> = { none: '未点名', draft: '草稿', submitted: '已点名' }

/** 点名: my lessons of today; one opens in its place. What could not be sent yet stands above. */
export function Rolls({ rolls, ...page }: AttendPage & { rolls: RollBox }): ReactNode {
  const { call } = page
  const [opened, open] = useState<string>()
  // Rolls are read with the list, so that one can be taken when the line is lost later.
  const fetchAll = useCallback(async () => {
    const { list } = await call('lessons', {})
    const read = await Promise.all(list.map(one => call('roll', { lesson_day_id: one.lesson_day_id }).catch(() => null)))
    return list.map((lesson, at) => ({ lesson, roll: read[at] ?? null }))
  }, [call])
  const { data, failure, again } = useLoaded(fetchAll)
  const chosen = data?.find(one => one.lesson.lesson_day_id === opened)?.roll
  const back = () => {
    open(undefined)
    again()
  }
  if (chosen) return <RollForm key={chosen.version} {...page} roll={chosen} rolls={rolls} onBack={back} />
  return (
    <>
      {rolls.queue.length > 0 && <Waiting rolls={rolls} />}
      <Card title="今天的课">
        {!data && (failure === undefined ? <Bars rows={4} /> : <Failed msg={failure} onAgain={again} />)}
        {data && failure !== undefined && (
          <p className="attend-why" role="status">
            离线数据，{failure}
          </p>
        )}
        {data?.length === 0 && <p className="empty">今天没有您的课</p>}
        <ul className="lines">
          {data?.map(({ lesson, roll }) => (
            <li key={lesson.lesson_day_id}>
              <button type="button" className="line" onClick={() => (roll === null ? again() : open(lesson.lesson_day_id))}>
                <span className="words">
                  <b>
                    {lesson.title} {lesson.class_name}
                  </b>
                  <small>
                    {hourText(lesson.begin)}–{hourText(lesson.end)} {lesson.place_name}
                  </small>
                </span>
                <Tag roll={roll} state={lesson.state} kept={rolls.queue.find(one => one.lesson_day_id === lesson.lesson_day_id)} />
              </button>
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}

function Tag({ roll, state, kept }: { roll: RollCall | null; state: string; kept: KeptRoll | undefined }): ReactNode {
  if (kept) return <span className="tag tag-warn">{kept.refusal === null ? '待发送' : '未被接受'}</span>
  return <span className={state === 'submitted' ? 'tag' : 'tag tag-warn'}>{roll === null ? '读取失败，点此重试' : (roll_states[state] ?? '')}</span>
}

/** Rolls on this phone that the server does not have. */
function Waiting({ rolls }: { rolls: RollBox }): ReactNode {
  return (
    <Card
      title={`待发送 ${rolls.queue.length}`}
      side={
        <button type="button" className="link" onClick={() => void rolls.send()}>
          立即发送
        </button>
      }
    >
      <ul className="lines">
        {rolls.queue.map(one => (
          <li key={one.lesson_day_id} className="attend-row">
            <header>
              <b>
                {one.title} {one.class_name}
              </b>
              <span className="tag tag-warn">{one.refusal === null ? '待发送' : '未被接受'}</span>
            </header>
            <p className="attend-why">
              {timeText(one.taken_at)} 点名，缺勤{one.rows.filter(row => row.claim === 'absent').length}人
            </p>
            {one.refusal !== null && (
              <p role="alert">
                {one.refusal}
                <button type="button" className="link" onClick={() => rolls.drop(one.lesson_day_id)}>
                  知道了，删除本机记录
                </button>
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
