import type { MapPoint } from '@campus/school/contract'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'

const side = 160
/** Degrees from one edge of the drawing to the other, and between two lines: two kilometres, and about two hundred metres. */
const span = 0.02
const gap = 0.002

/** `onPut`: the place in the drawing that was pointed at */
type Props = { point: MapPoint | null; label: string; onKeyDown: (event: KeyboardEvent) => void; onPut: (point: MapPoint) => void }

/** The point in the middle of a net of degrees that moves under it: by arrows, or to where somebody points. No map. */
export function MapGrid({ point, label, onKeyDown, onPut }: Props): ReactNode {
  const put = ({ nativeEvent: { offsetX, offsetY, detail } }: MouseEvent) => {
    // A click by key has no place.
    if (point && detail > 0) onPut({ lng: point.lng + (offsetX / side - 0.5) * span, lat: point.lat - (offsetY / side - 0.5) * span })
  }
  return (
    <button type="button" className="record-map-grid" aria-label={label} onKeyDown={onKeyDown} onClick={put}>
      <svg viewBox={`0 0 ${side} ${side}`} width={side} height={side} aria-hidden>
        {point && linesOf(point.lng).map(at => <line key={`x${at}`} x1={at} x2={at} y1={0} y2={side} />)}
        {point && linesOf(-point.lat).map(at => <line key={`y${at}`} x1={0} x2={side} y1={at} y2={at} />)}
        <path className={point ? undefined : 'record-map-unset'} d={`M${side / 2} ${side / 2}l-9 -20a10 10 0 1 1 18 0z`} />
      </svg>
    </button>
  )
}

/** Where the lines of the net cross an edge whose middle has this degree. */
function linesOf(middle: number): number[] {
  const first = Math.ceil((middle - span / 2) / gap)
  const last = Math.floor((middle + span / 2) / gap)
  return Array.from({ length: last - first + 1 }, (_, at) => Math.round((((first + at) * gap - middle) / span + 0.5) * side * 10) / 10)
}
