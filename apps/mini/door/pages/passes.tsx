import { useCallback, useEffect } from 'react'
import type { ReactNode } from 'react'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import { clockText, refusalText, wayText, whoText } from '../page.ts'
import type { DoorPage } from '../page.ts'

const [refreshed_ms, accepted] = [10_000, 1] as const

/** 今日通行: the last passes of today at the doors that I look after. */
export function Passes({ call }: DoorPage): ReactNode {
  const { data, failure, again } = useLoaded(useCallback(() => call('passes', {}), [call]))
  useEffect(() => {
    const timer = window.setInterval(again, refreshed_ms)
    return () => window.clearInterval(timer)
  }, [again])
  return (
    <Card
      title="今日通行"
      side={
        <button type="button" className="link" onClick={again}>
          刷新
        </button>
      }
    >
      {!data && (failure === undefined ? <Bars rows={5} /> : <Failed msg={failure} onAgain={again} />)}
      {data?.list.length === 0 && <p className="empty">今天还没有人通过</p>}
      <ul className="lines">
        {data?.list.map(pass => (
          <li key={pass.pass_key} className="line">
            <span className="words">
              <b>{`${whoText(pass)} ${pass.dept_name ?? ''}`}</b>
              <small>{`${clockText(pass.at)} ${pass.place_name ?? '未绑定场所'} ${wayText(pass.direction)}`}</small>
            </span>
            <span className={pass.result === accepted ? 'tag' : 'tag tag-warn'}>
              {pass.result === accepted ? '通过' : refusalText(pass.result)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
