import { command_names, overviewApi, row_kind_names, wait_ages } from '@campus/devices/contract'
import type { DeviceWait } from '@campus/devices/contract'
import { call, instantText } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Ribbon } from './box/ribbon.tsx'

const names: Readonly<Record<string, string>> = { ...row_kind_names, ...command_names }

/** How a device has been: its line in the last 24 hours, and what waits for it with how long it has waited. */
export function DeviceOverview({ device_id }: { device_id: string }): ReactNode {
  const query = useQuery({ queryKey: [overviewApi.read.call, device_id], queryFn: ({ signal }) => call(overviewApi.read, { id: device_id }, { signal, quiet: true }) })
  if (!query.data) return <PartState query={query} />
  const { at, ribbon, queue } = query.data
  return (
    <section className="device-overview" aria-label="运行概况" data-ready="device-overview">
      <Ribbon spans={ribbon} now={at} />
      {queue.length === 0 ? <p className="device-quiet">没有等待下发的数据和命令</p> : <Queue queue={queue} />}
    </section>
  )
}

const sum = (ages: readonly number[]) => ages.reduce((a, b) => a + b, 0)

/** One bar a kind, as long as much waits; the darker, the longer it has waited. */
function Queue({ queue }: { queue: readonly DeviceWait[] }): ReactNode {
  const most = Math.max(...queue.map(({ ages }) => sum(ages)))
  const total = queue.reduce((all, { ages }) => all + sum(ages), 0)
  return (
    <figure className="device-queue">
      <figcaption>
        <span>{`等待中 ${total.toLocaleString('zh-CN')}`}</span>
        {wait_ages.map((age, at) => <span key={age}><i className={`device-wait-${at}`} aria-hidden />{age}</span>)}
      </figcaption>
      <ul>
        {queue.map(({ lane, kind, ages, oldest_at }) => {
          const told = wait_ages.flatMap((age, at) => ((ages[at] ?? 0) > 0 ? [`${age}${ages[at]}`] : [])).join('，')
          return (
            <li key={`${lane} ${kind}`} title={told} aria-label={`${names[kind] ?? kind}：${told}`}>
              <span>{`${lane === 'command' ? '命令：' : ''}${names[kind] ?? kind}`}</span>
              <span className="device-queue-track" aria-hidden><span style={{ width: `${(sum(ages) / most) * 100}%` }}>{ages.map((count, at) => count > 0 && <i key={wait_ages[at]} className={`device-wait-${at}`} style={{ flexGrow: count }} />)}</span></span>
              <b>{sum(ages).toLocaleString('zh-CN')}</b>
              <small>{`最早 ${instantText(oldest_at)}`}</small>
            </li>
          )
        })}
      </ul>
    </figure>
  )
}
