import { useCallback } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { DoorPage } from '../page.ts'

const waits = 0

/** 接送人: who may fetch my children; nobody does before I have agreed (chapter 35 R55). */
export function Adults({ call, say }: DoorPage): ReactNode {
  const { data, failure, again } = useLoaded(useCallback(() => call('adults', {}), [call]))
  const answer = (pickup_id: string, agreed: boolean) =>
    void call('answer', { pickup_id, agreed }).then(
      () => {
        say(agreed ? '已确认' : '已停用，不能再接孩子')
        again()
      },
      (cause: unknown) => say(sentenceOf(cause)),
    )
  return (
    <Card title="接送人">
      {!data && (failure === undefined ? <Bars rows={4} /> : <Failed msg={failure} onAgain={again} />)}
      {data?.list.length === 0 && <p className="empty">没有登记其他接送人；需要时请联系班主任登记，再由您在这里确认</p>}
      <ul className="lines">
        {data?.list.map(one => (
          <li key={one.pickup_id}>
            <div className="line">
              {one.photo_url !== null && <img className="face" src={one.photo_url} alt={`${one.person_name}的照片`} />}
              <span className="words">
                <b>{`${one.person_name}接${one.student_name}`}</b>
                <small>{`${one.mobile} ${one.valid_from} 至 ${one.valid_to ?? '长期'}`}</small>
              </span>
              <span className={one.confirm_state === waits ? 'tag tag-warn' : 'tag'}>
                {one.confirm_state === waits ? '待您确认' : '已确认'}
              </span>
            </div>
            <div className="leave-acts">
              <button type="button" className="button button-last" onClick={() => answer(one.pickup_id, false)}>
                {one.confirm_state === waits ? '不同意' : '停用'}
              </button>
              {one.confirm_state === waits && (
                <button type="button" className="button button-first" onClick={() => answer(one.pickup_id, true)}>
                  同意接送
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
