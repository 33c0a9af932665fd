import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { EvaluatePage } from '../page.ts'
import { pointsText, stateName, timeText } from '../page.ts'

const counts = 1

/** 记录: the latest stars of my classes, found by name. */
export function Records({ call }: EvaluatePage): ReactNode {
  const [text, setText] = useState('')
  const [keyword, find] = useState('')
  const { data, failure, again } = useLoaded(
    useCallback(() => call('records', { page_size: 50, ...(keyword === '' ? {} : { keyword }) }), [call, keyword]),
  )
  return (
    <Card title={`评价记录 ${data?.total ?? ''}`}>
      <form
        className="search"
        onSubmit={event => {
          event.preventDefault()
          find(text.trim())
        }}
      >
        <input
          aria-label="姓名或理由"
          value={text}
          maxLength={50}
          placeholder="姓名或理由"
          onChange={event => setText(event.target.value)}
        />
        <button type="submit" className="button">
          查找
        </button>
      </form>
      {!data && (failure === undefined ? <Bars rows={5} /> : <Failed msg={failure} onAgain={again} />)}
      {data?.list.length === 0 && <p className="empty">没有评价记录</p>}
      <ul className="lines">
        {data?.list.map(one => (
          <li key={one.record_id} className="line">
            <span className="words">
              <b>
                {one.subject_name} {one.star_name}
              </b>
              <small>
                {one.dept_name} {one.reason}
              </small>
              <small>
                {timeText(one.happened_at)} {one.giver_name}
                {one.state === counts ? '' : ` ${stateName(one.state)}`}
              </small>
            </span>
            <span className={one.milli < 0 ? 'tag tag-warn' : 'tag'}>{pointsText(one.milli)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
