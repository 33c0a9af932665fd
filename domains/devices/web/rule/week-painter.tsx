import { Button, Segmented } from 'antd'
import { useState } from 'react'
import type { PointerEvent, ReactNode } from 'react'
import { modeName } from './rule-words.ts'
import type { RuleKind } from './rule-words.ts'
import { day_minutes, daysOf, paint, weekday_names } from './week.ts'
import type { Brush, WeekWindow } from './week.ts'

const step = 30
const columns = day_minutes / step
const hours = [0, 3, 6, 9, 12, 15, 18, 21] as const
const wipe = 'wipe'
type Cell = { day: number; at: number }
type Props = { kind: RuleKind; windows: readonly WeekWindow[]; change: (windows: WeekWindow[]) => void }

/** A week to paint with the mouse, half an hour a field; whoever uses the keyboard types the times below. */
export function WeekPainter({ kind, windows, change }: Props): ReactNode {
  const [tool, setTool] = useState<string>(kind === 1 ? 'always_closed' : 'off')
  const [from, setFrom] = useState<Cell | null>(null)
  const [to, setTo] = useState<Cell | null>(null)
  const brush = brushOf(tool)
  const end = () => {
    if (from && to) change(paint(windows, { day_from: Math.min(from.day, to.day), day_to: Math.max(from.day, to.day), from: Math.min(from.at, to.at) * step, to: (Math.max(from.at, to.at) + 1) * step }, brush))
    setFrom(null)
    setTo(null)
  }
  const begin = (event: PointerEvent<HTMLDivElement>) => {
    const cell = cellAt(event)
    event.currentTarget.setPointerCapture(event.pointerId)
    setFrom(cell)
    setTo(cell)
  }
  const days = daysOf(windows)
  return (
    <div className="rule-painter">
      <div className="rule-tools">
        <Segmented aria-label="画笔" value={tool} onChange={setTool} options={[...toolsOf(kind), { value: wipe, label: '擦除' }]} />
        <span>按住鼠标在周历上拖动</span>
        {windows.length > 0 && <Button size="small" onClick={() => change([])}>清空</Button>}
      </div>
      <div className="rule-grid" aria-hidden>
        <div className="rule-hours">{hours.map(hour => <i key={hour} style={{ insetInlineStart: `${(hour / 24) * 100}%` }}>{hour}:00</i>)}</div>
        <div className="rule-names">{weekday_names.map(name => <i key={name}>{`周${name}`}</i>)}</div>
        <div className="rule-days" data-testid="week-grid" onPointerDown={begin} onPointerMove={event => from && setTo(cellAt(event))} onPointerUp={end} onPointerCancel={() => setFrom(null)}>
          {days.flatMap((pieces, day) => pieces.map(piece => <b key={`${day} ${piece.from}`} className={`rule-${piece.brush.mode ?? 'off'}`} style={boxOf(day, day, piece.from, piece.to)} />))}
          {from && to && <b className="rule-drawing" style={boxOf(Math.min(from.day, to.day), Math.max(from.day, to.day), Math.min(from.at, to.at) * step, (Math.max(from.at, to.at) + 1) * step)} />}
        </div>
      </div>
    </div>
  )
}

function toolsOf(kind: RuleKind): { value: string; label: string }[] {
  if (kind !== 1) return [{ value: 'off', label: modeName(kind, undefined) }]
  return (['always_closed', 'always_open', 'normal'] as const).map(value => ({ value, label: modeName(1, value) }))
}

function brushOf(tool: string): Brush | null {
  if (tool === wipe) return null
  const mode = (['always_closed', 'always_open', 'normal'] as const).find(one => one === tool)
  return mode ? { mode, verify: [] } : {}
}

function cellAt(event: PointerEvent<HTMLDivElement>): Cell {
  const box = event.currentTarget.getBoundingClientRect()
  const share = (value: number, size: number, parts: number) => Math.min(parts - 1, Math.max(0, Math.floor((value / size) * parts)))
  return { day: share(event.clientY - box.top, box.height, weekday_names.length), at: share(event.clientX - box.left, box.width, columns) }
}

function boxOf(day_from: number, day_to: number, from: number, to: number) {
  return { insetBlockStart: `${(day_from / 7) * 100}%`, blockSize: `${((day_to - day_from + 1) / 7) * 100}%`, insetInlineStart: `${(from / day_minutes) * 100}%`, inlineSize: `${((to - from) / day_minutes) * 100}%` }
}
