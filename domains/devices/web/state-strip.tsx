import type { DEVICE_STATE, overviewApi } from '@campus/devices/contract'
import type { Reply } from '@kit/contract'
import { instantText } from '@kit/web'
import { Badge, Button } from 'antd'
import type { ReactNode } from 'react'
import { stateColor, stateName } from './state-dot.tsx'
import { useAttention, useCounts } from './use-devices.ts'
import { Withdrawals } from './withdrawals.tsx'

const order = ['1', '0', '2', '4', '5', '3'] as const

type Asked = Readonly<Record<string, string | undefined>>
type Props = { values: Asked; filterBy: (patch: Asked) => void }

/** How many devices are in which state; a pill shows those alone, once more all again. */
export function StateStrip({ values, filterBy }: Props): ReactNode {
  const chosen = values.device_state
  const choose = (device_state: string | undefined) => filterBy({ device_state })
  const attention = useAttention()
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
      {attention && <Pill word={`有差异 ${attention.drift}`} is_on={values.drift === '1'} turn={is_on => filterBy({ drift: is_on ? '1' : undefined })} />}
      {attention && <Pill word={queueText(attention)} title={attention.oldest === null ? undefined : `等待最久：${attention.oldest.device_name}，从${instantText(attention.oldest.at)}开始`} is_on={values.queue === '1'} turn={is_on => filterBy({ queue: is_on ? '1' : undefined })} />}
      <Withdrawals />
    </div>
  )
}

function Pill({ word, title, is_on, turn }: { word: string; title?: string | undefined; is_on: boolean; turn: (is_on: boolean) => void }): ReactNode {
  return <Button size="small" shape="round" type={is_on ? 'primary' : 'default'} aria-pressed={is_on} title={title} onClick={() => turn(!is_on)}>{word}</Button>
}

/** What waits, and since when the oldest of it does. */
function queueText({ queue, oldest }: Reply<typeof overviewApi.attention>): string {
  return `有积压 ${queue}${oldest === null ? '' : `，最早${instantText(oldest.at)}`}`
}
