import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { EvaluatePage } from '../page.ts'

type Kind = '1' | '2'
const kinds: readonly [Kind, string][] = [
  ['1', '周排行'],
  ['2', '月排行'],
]
const subjects: readonly [Kind, string][] = [
  ['1', '学生'],
  ['2', '班级人均'],
]
const points = 1000

/** 排行: the last settled week or month, its public part. */
export function Ranking({ call }: EvaluatePage): ReactNode {
  const [kind, setKind] = useState<Kind>('1')
  const [subject_kind, setSubject] = useState<Kind>('1')
  const { data, failure, again } = useLoaded(useCallback(() => call('ranking', { kind, subject_kind }), [call, kind, subject_kind]))
  return (
    <Card title="排行">
      <div className="choice" role="group" aria-label="周期">
        {kinds.map(([code, text]) => (
          <button key={code} type="button" aria-pressed={kind === code} onClick={() => setKind(code)}>
            {text}
          </button>
        ))}
        {subjects.map(([code, text]) => (
          <button key={text} type="button" aria-pressed={subject_kind === code} onClick={() => setSubject(code)}>
            {text}
          </button>
        ))}
      </div>
      {!data && (failure === undefined ? <Bars rows={5} /> : <Failed msg={failure} onAgain={again} />)}
      {data?.period && (
        <p>
          {data.period.begin_date} 至 {data.period.end_date}
        </p>
      )}
      {data?.list.length === 0 && <p className="empty">{data.period ? '这一期没有上榜' : '还没有结算过'}</p>}
      <ul className="lines">
        {data?.list.map((one, at) => (
          <li key={`${one.rank}-${at}`} className="line">
            <span className="words">
              <b>
                {one.rank}. {one.shown_name}
              </b>
              {subject_kind === '1' && <small>{one.dept_name}</small>}
            </span>
            <span className="tag">{one.milli / points}分</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
