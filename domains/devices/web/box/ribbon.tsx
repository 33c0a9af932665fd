import { ribbon_hours } from '@campus/devices/contract'
import type { Box } from '@campus/devices/contract'
import { instantText } from '@kit/web'
import type { ReactNode } from 'react'
import './box.css'

const [hour_ms, full, narrowest] = [3_600_000, 100, 0.3] as const

/** The last 24 hours of a line; what is blank it was away. */
export function Ribbon({ spans, now }: { spans: Box['ribbon']; now: string }): ReactNode {
  const end = Date.parse(now)
  const begin = end - ribbon_hours * hour_ms
  const at = (instant: string) => ((Date.parse(instant) - begin) / (ribbon_hours * hour_ms)) * full
  const share = Math.round(spans.reduce((sum, span) => sum + at(span.to) - at(span.from), 0))
  return (
    <figure className="box-ribbon">
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={`最近24小时在线${share}%`}>
        {spans.map(span => <rect key={span.from} x={at(span.from)} y="0" width={Math.max(narrowest, at(span.to) - at(span.from))} height="6"><title>{`${instantText(span.from)} 至 ${instantText(span.to)} 在线`}</title></rect>)}
      </svg>
      <figcaption>{`最近24小时在线 ${share}%`}</figcaption>
    </figure>
  )
}
