import { HistoryOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'

/** Says that the list shows another day than today. */
export function RosterBand({ on, today }: { on: string; today: () => void }): ReactNode {
  return (
    <div className="people-band" role="status">
      <HistoryOutlined aria-hidden />
      <span>
        正在查看 <b>{on}</b> 的名册
      </span>
      <Button size="small" onClick={today}>回到今天</Button>
    </div>
  )
}
