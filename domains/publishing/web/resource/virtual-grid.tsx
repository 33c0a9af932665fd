import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'

type Props<T> = {
  items: readonly T[]
  keyOf: (item: T) => string
  cell: { width: number; height: number }
  render: (item: T, at: number) => ReactNode
  label: string
}
const gap = 12
/** Rows drawn above and below what is in sight. */
const spare = 1

/** A grid of equal cells that draws only the rows in sight: five thousand pictures are as many nodes as fifty (chapter 60 §9, 18). */
export function VirtualGrid<T>({ items, keyOf, cell, render, label }: Props<T>): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState({ width: 0, height: 0, top: 0 })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setSeen({ width: element.clientWidth, height: element.clientHeight, top: element.scrollTop })
    const watcher = new ResizeObserver(measure)
    watcher.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      watcher.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])
  const columns = Math.max(1, Math.floor((seen.width + gap) / (cell.width + gap)))
  const row = cell.height + gap
  const rows = Math.ceil(items.length / columns)
  const first = Math.max(0, Math.floor(seen.top / row) - spare)
  const last = Math.min(rows, Math.ceil((seen.top + seen.height) / row) + spare)
  const shown = items.slice(first * columns, last * columns)
  return (
    <div className="res-grid" ref={box} role="group" aria-label={label} tabIndex={-1}>
      <div style={{ height: rows * row }}>
        <div
          className="res-grid-rows"
          style={{
            transform: `translateY(${first * row}px)`,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            gridAutoRows: cell.height,
            gap,
          }}
        >
          {shown.map((item, at) => (
            <div key={keyOf(item)}>{render(item, first * columns + at)}</div>
          ))}
        </div>
      </div>
    </div>
  )
}
