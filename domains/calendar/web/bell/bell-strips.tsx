import { clockOf, minutesOf } from '@campus/calendar/contract'
import type { Bell } from '@campus/calendar/contract'
import type { ReactNode } from 'react'

const px_of_minute = 0.8
const hour = 60

/** Every bell as a strip of the day, all to one scale, so that what stages have at the same time is seen. */
export function BellStrips({ bells, renderHead }: { bells: readonly Bell[]; renderHead: (bell: Bell) => ReactNode }): ReactNode {
  const minutes = bells.flatMap(({ sections }) => sections.flatMap(({ begin, end }) => [minutesOf(begin), minutesOf(end)]))
  const first = Math.floor(Math.min(...minutes) / hour) * hour
  const last = Math.ceil(Math.max(...minutes) / hour) * hour
  const hours = Array.from({ length: (last - first) / hour + 1 }, (_, at) => first + at * hour)
  const top = (at: number) => (at - first) * px_of_minute
  const height = top(last)
  return (
    <div className="bell-strips">
      <div className="bell-hours" style={{ height }} aria-hidden>{hours.map(at => <span key={at} style={{ top: top(at) }}>{clockOf(at)}</span>)}</div>
      {bells.map(bell => (
        <section key={bell.id} className="bell-strip" aria-label={bell.name}>
          {renderHead(bell)}
          <ol style={{ height }}>
            {bell.sections.map(({ name, begin, end, section }) => (
              <li key={begin} data-lesson={section !== null || undefined} style={{ top: top(minutesOf(begin)), height: top(minutesOf(end)) - top(minutesOf(begin)) - 1 }} title={`${name} ${begin}–${end}`}>{begin}–{end} {name}</li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}
