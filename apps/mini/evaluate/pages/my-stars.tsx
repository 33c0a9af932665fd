import type { MyStar, Profile } from '@campus/evaluation/contract'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { EvaluatePage } from '../page.ts'
import { pointsText, stateName, timeText } from '../page.ts'

type MyLevel = Profile['levels'][number]
const counts = 1
const points = 1000
const least_words = 2
const appeal_words: Readonly<Record<number, string>> = {
  0: '申诉受理中',
  1: '申诉结果：维持',
  2: '申诉结果：已撤销',
  3: '申诉结果：已改判',
  4: '申诉超时，记录已撤销',
}
const level_words: Readonly<Record<number, string>> = { 1: '铜', 2: '银', 3: '金' }

/** 我的星: mine or my child's, by dimension and one by one, with an objection to a record of the last seven days. */
export function MyStars(page: EvaluatePage): ReactNode {
  const { call } = page
  const [chosen, choose] = useState<string>()
  const { data, failure, again } = useLoaded(useCallback(() => call('subjects', {}), [call]))
  if (!data) return failure === undefined ? <Bars rows={4} /> : <Failed msg={failure} onAgain={again} />
  const user_id = chosen ?? data.list[0]?.user_id
  if (user_id === undefined)
    return (
      <Card title="我的星">
        <p className="empty">没有绑定在校学生</p>
      </Card>
    )
  return (
    <>
      {data.list.length > 1 && (
        <div className="choice" role="group" aria-label="孩子">
          {data.list.map(one => (
            <button key={one.user_id} type="button" aria-pressed={one.user_id === user_id} onClick={() => choose(one.user_id)}>
              {one.user_name} {one.dept_name}
            </button>
          ))}
        </div>
      )}
      <OfPupil key={user_id} {...page} user_id={user_id} />
    </>
  )
}

/** 金（2026-10-12获得） 12.5分: what was reached stays with its day. */
function levelText({ got, level, milli }: MyLevel): string {
  const best = got.at(-1)
  return `${best ? `${level_words[best.level]}（${best.valid_from}获得）` : level_words[level]} ${milli / points}分`
}

function OfPupil({ call, say, user_id }: EvaluatePage & { user_id: string }): ReactNode {
  const { data, failure, again } = useLoaded(useCallback(() => call('mine', { user_id }), [call, user_id]))
  if (!data) return failure === undefined ? <Bars rows={5} /> : <Failed msg={failure} onAgain={again} />
  return (
    <>
      <Card title={`${data.user_name} 共${data.total_milli / points}分`}>
        <dl className="facts">
          {data.radar.map(one => (
            <div key={one.dimension}>
              <dt>{one.dimension}</dt>
              <dd>
                {one.milli / points}（班级平均{one.class_milli / points}）
              </dd>
            </div>
          ))}
        </dl>
        {data.levels.map(one => (
          <span key={one.star_name} className="tag">
            {one.star_name} {levelText(one)}
          </span>
        ))}
      </Card>
      <Card title="评价记录">
        {data.list.length === 0 && <p className="empty">还没有评价记录</p>}
        <ul className="lines">
          {data.list.map(one => (
            <Star key={one.record_id} one={one} call={call} say={say} onSent={again} />
          ))}
        </ul>
      </Card>
    </>
  )
}

function Star({ one, call, say, onSent }: EvaluatePage & { one: MyStar; onSent: () => void }): ReactNode {
  const [is_open, open] = useState(false)
  const sent = () => {
    say('已提交申诉，班主任将在3天内处理')
    open(false)
    onSent()
  }
  return (
    <li className="leave-task">
      <p>
        <b>
          {one.dimension}/{one.star_name} {pointsText(one.milli)}
        </b>{' '}
        {one.state !== counts && <span className="tag tag-warn">{stateName(one.state)}</span>}
      </p>
      <p>{one.reason}</p>
      <p>
        <small>
          {timeText(one.happened_at)} {one.giver_name}
        </small>
      </p>
      {one.appeal && (
        <p>
          {appeal_words[one.appeal.state]}
          {one.appeal.opinion === null ? '' : `（${one.appeal.opinion}）`}
        </p>
      )}
      {one.may_appeal && !is_open && (
        <button type="button" className="link" onClick={() => open(true)}>
          申诉
        </button>
      )}
      {is_open && <Objection record_id={one.record_id} call={call} say={say} onSent={sent} onClose={() => open(false)} />}
    </li>
  )
}

type ObjectionProps = EvaluatePage & { record_id: string; onSent: () => void; onClose: () => void }

function Objection({ record_id, call, say, onSent, onClose }: ObjectionProps): ReactNode {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const words = text.trim()
  const send = async () => {
    setBusy(true)
    await call('appeal', { record_id, text: words }).then(onSent, (cause: unknown) => say(sentenceOf(cause)))
    setBusy(false)
  }
  return (
    <>
      <label className="field">
        申诉理由
        <textarea rows={2} maxLength={200} value={text} onChange={event => setText(event.target.value)} />
      </label>
      <div className="leave-acts">
        <button type="button" className="button" onClick={onClose}>
          取消
        </button>
        <button type="button" className="button button-first" disabled={busy || words.length < least_words} onClick={() => void send()}>
          提交申诉
        </button>
      </div>
    </>
  )
}
