import type { DEVICE_STATE } from '@campus/devices/contract'
import { Badge, Button } from 'antd'
import type { ReactNode } from 'react'
import { stateColor, stateName } from './state-dot.tsx'
import { useCounts } from './use-devices.ts'
import { Withdrawals } from './withdrawals.tsx'

const order = ['1', '0', '2', '4', '5', '3'] as const

/** How many devices are in which state; a pill shows those alone, once more all again. */
export function StateStrip({ chosen, choose }: { chosen: string | undefined; choose: (device_state: string | undefined) => void }): ReactNode {
  const counts = useCounts().data ?? []
  const of = (state: (typeof DEVICE_STATE.codes)[number]) => counts.filter(one => one.device_state === state).reduce((sum, one) => sum + one.count, 0)
  const total = counts.reduce((sum, one) => sum + one.count, 0)
  return (
    <div className="device-strip" role="group" aria-label="按状态查看">
      <Button size="small" shape="round" type={chosen === undefined ? 'primary' : 'default'} onClick={() => choose(undefined)}>{`全部 ${total}`}</Button>
      {order.map(state => (
        <Button key={state} size="small" shape="round" type={chosen === state ? 'primary' : 'default'} aria-pressed={chosen === state} onClick={() => choose(chosen === state ? undefined : state)}>
          <Badge status={stateColor(state)} />{`${stateName(state)} ${of(state)}`}
        </Button>
      ))}
      <Withdrawals />
    </div>
  )
}
