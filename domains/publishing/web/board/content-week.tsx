import { mondayOf } from '@campus/calendar/contract'
import { contentApi, startOf } from '@campus/publishing/contract'
import { schoolToday } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import type { ReactNode } from 'react'

const week_ms = 7 * 86_400_000
const high = 8
const names = ['周一', '周二', '周三', '周四', '周五', '周六', '周日']

/** Living contents of the week as bars by zone and priority; bars of one zone and priority that run at once take turns. */
export function ContentWeek(): ReactNode {
  const from = mondayOf(schoolToday())
  const begin = startOf(from)
  const query = useCall(contentApi.week, { from })
  const share = (at: string) => Math.min(1, Math.max(0, (Date.parse(at) - begin) / week_ms))
  return (
    <Loaded query={query} empty="本周没有生效的内容">
      {({ list }) => (
        <div className="brd-bars" data-ready="page">
          <div className="brd-row"><b>内容</b><div className="brd-days">{names.map(name => <span key={name}>{name}</span>)}</div></div>
          {list.map(one => {
            const [left, right] = [share(one.valid_from), one.valid_to === null ? 1 : share(one.valid_to)]
            const clash = list.some(other => other.id !== one.id && other.zone === one.zone && other.priority === one.priority && other.valid_from < (one.valid_to ?? '9') && one.valid_from < (other.valid_to ?? '9'))
            return (
              <div className="brd-row" key={one.id}>
                <span title={one.title}>{one.zone === 'full' ? '全屏' : one.zone} · {one.title}</span>
                <div className="brd-track"><div className="brd-bar" data-clash={clash ? '1' : '0'} data-high={one.priority >= high ? '1' : '0'} style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%` }} title={clash ? '与同区域同优先级的内容轮播' : ''}>优先级{one.priority}{one.rule_name === null ? '' : ` · ${one.rule_name}`}</div></div>
              </div>
            )
          })}
        </div>
      )}
    </Loaded>
  )
}
