import { clockApi } from '@campus/attendance/contract'
import type { Tile } from '@campus/attendance/contract'
import { useCall } from '@kit/web/part'
import { CardBody, CardFigures } from '@kit/web/dashboard'
import type { ReactNode } from 'react'

const wall = '/ClassClock'
type Counted = 'expected' | 'present' | 'late' | 'absent' | 'leave' | 'waiting' | 'missing'

/** The lesson that runs now, over all classes one may see. */
export function NowCard(): ReactNode {
  return (
    <CardBody query={useCall(clockApi.page, {})}>
      {({ slot, list }) => {
        if (slot === null || list.length === 0) return <p className="card-nothing">现在没有课，也没有打卡时段</p>
        const sum = (name: Counted) => list.reduce((total: number, tile: Tile) => total + tile[name], 0)
        return (
          <CardFigures
            figures={[
              { label: '应到', value: sum('expected'), to: wall },
              { label: '已到', value: sum('present'), to: wall, tone: 'good' },
              { label: '迟到', value: sum('late'), to: wall },
              { label: '缺勤', value: sum('absent'), to: wall, tone: 'bad' },
              { label: '请假', value: sum('leave'), to: wall },
              { label: '未到', value: sum('waiting'), to: wall },
              { label: '在校缺课', value: sum('missing'), to: wall, tone: 'bad' },
            ]}
          />
        )
      }}
    </CardBody>
  )
}
