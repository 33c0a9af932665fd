import type { aiRecordApi } from '@campus/devices/contract'
import type { Reply } from '@kit/contract'
import type { ReactNode } from 'react'

type Heat = Reply<typeof aiRecordApi.summary>['heat']

/** At which hours the places with the most warnings have theirs; a place is chosen by its strip. */
export function HeatStrip({ heat, chosen, choose }: { heat: Heat; chosen: string | undefined; choose: (place_id: string | undefined) => void }): ReactNode {
  const most = Math.max(1, ...heat.flatMap(place => place.hours))
  if (heat.length === 0) return null
  return (
    <section aria-label="时段分布">
      <div className="ai-hours" aria-hidden="true"><span>0时</span><span>6</span><span>12</span><span>18</span><span>24</span></div>
      <ul className="ai-heat">
        {heat.map(({ place_id, place_name, hours }) => (
          <li key={place_id}>
            <button type="button" aria-pressed={chosen === place_id} title={`${place_name}\n${hoursText(hours)}`} aria-label={`只看${place_name}：${hoursText(hours)}`} onClick={() => choose(chosen === place_id ? undefined : place_id)}>
              <small>{place_name.split('/').slice(-2).join('/')}</small>
              <svg viewBox="0 0 24 1" preserveAspectRatio="none" aria-hidden="true">
                {hours.map((count, hour) => <rect key={hour} x={hour} y={0} width={0.9} height={1} fill={count === 0 ? '#f0f0f0' : '#cf1322'} opacity={count === 0 ? 1 : 0.25 + 0.75 * (count / most)} />)}
              </svg>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function hoursText(hours: readonly number[]): string {
  return hours.flatMap((count, hour) => (count === 0 ? [] : [`${hour}时${count}条`])).join('，')
}
