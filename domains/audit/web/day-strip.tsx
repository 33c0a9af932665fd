import { useState } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { barText, spanBetween } from './day-strip.ts'
import type { Bar } from './day-strip.ts'
import type { Days } from './log-search.ts'

const height = 36
const step = 10
const bar_width = 7

type Brush = { from: number; to: number }
type Props = { bars: readonly Bar[]; days: Days; onBrush: (days: Days) => void }

/** Rows of each day as bars, refusals red; dragging over days chooses them, as do ← → with Shift and Enter. */
export function DayStrip({ bars, days, onBrush }: Props): ReactNode {
  const chosen = { from: bars.findIndex(bar => bar.day >= days.from), to: bars.findLastIndex(bar => bar.day <= days.to) }
  const [brush, setBrush] = useState<Brush | null>(null)
  const [hovered, setHovered] = useState<number | null>(null)
  const shown = brush ?? chosen
  const at = brush?.to ?? hovered ?? chosen.to
  const finish = (done: Brush) => {
    setBrush(null)
    onBrush(spanBetween(bars, done.from, done.to))
  }
  const placeOf = (event: PointerEvent<Element>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    return Math.min(bars.length - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * bars.length)))
  }
  const press = (event: PointerEvent<Element>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    setBrush({ from: placeOf(event), to: placeOf(event) })
  }
  const move = (event: PointerEvent<Element>) => {
    setHovered(placeOf(event))
    if (brush && event.buttons > 0) setBrush({ ...brush, to: placeOf(event) })
  }
  const key = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (event.key === 'Enter' && brush) finish(brush)
    if (event.key === 'Escape') setBrush(null)
    if (by === undefined) return
    event.preventDefault()
    const to = Math.min(bars.length - 1, Math.max(0, shown.to + by))
    setBrush({ from: event.shiftKey ? shown.from : to, to })
  }
  const text = bars[at] ? barText(bars[at]) : ''
  return (
    <div className="audit-strip">
      <span className="audit-strip-text">{text}</span>
      <div
        className="audit-strip-bars" role="slider" tabIndex={0} aria-label="每日操作数，左右键移动，按住 Shift 扩选，回车筛选"
        aria-valuemin={0} aria-valuemax={bars.length - 1} aria-valuenow={Math.max(0, at)} aria-valuetext={text} onKeyDown={key} onBlur={() => setBrush(null)}
        onPointerDown={press} onPointerMove={move} onPointerLeave={() => setHovered(null)} onPointerUp={() => brush && finish(brush)}
      >
        <StripDrawing bars={bars} shown={shown} />
      </div>
      <div className="audit-strip-months" aria-hidden>
        {bars.map((bar, place) => bar.day.endsWith('-01') && place < bars.length - 3 && <span key={bar.day} style={{ left: `${(place / bars.length) * 100}%` }}>{Number(bar.day.slice(5, 7))}月</span>)}
      </div>
    </div>
  )
}

function StripDrawing({ bars, shown }: { bars: readonly Bar[]; shown: Brush }): ReactNode {
  const [first, last] = [Math.min(shown.from, shown.to), Math.max(shown.from, shown.to)]
  return (
    <svg viewBox={`0 0 ${bars.length * step} ${height}`} preserveAspectRatio="none" aria-hidden>
      {first >= 0 && last >= first && <rect className="audit-strip-chosen" x={first * step} y={0} width={(last - first + 1) * step} height={height} />}
      {bars.map((bar, place) => {
        const x = place * step + (step - bar_width) / 2
        const is_in = place >= first && place <= last
        return (
          <g key={bar.day}>
            <rect className={is_in ? 'audit-bar audit-bar-in' : 'audit-bar'} x={x} y={height * (1 - bar.height)} width={bar_width} height={height * bar.height} />
            <rect className="audit-bar-red" x={x} y={height * (1 - bar.red)} width={bar_width} height={height * bar.red} />
          </g>
        )
      })}
    </svg>
  )
}
