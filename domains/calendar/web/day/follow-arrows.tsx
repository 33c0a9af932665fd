import type { SchoolDay } from '@campus/calendar/contract'
import { useLayoutEffect, useState } from 'react'
import type { ReactNode, RefObject } from 'react'

type Line = { key: string; path: string }

/** An arrow from every make-up day to the day whose lessons it runs, where both are shown. */
export function FollowArrows({ board, days }: { board: RefObject<HTMLDivElement | null>; days: ReadonlyMap<string, SchoolDay> }): ReactNode {
  const [lines, draw] = useState<readonly Line[]>([])
  useLayoutEffect(() => {
    const area = board.current
    if (!area) return undefined
    const measure = () => draw(linesOf(area, days))
    const watch = new ResizeObserver(measure)
    watch.observe(area)
    measure()
    return () => watch.disconnect()
  }, [board, days])
  return (
    <svg className="calendar-arrows" aria-hidden>
      <defs><marker id="calendar-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" /></marker></defs>
      {lines.map(({ key, path }) => <path key={key} d={path} markerEnd="url(#calendar-arrow)" />)}
    </svg>
  )
}

function linesOf(area: HTMLElement, days: ReadonlyMap<string, SchoolDay>): Line[] {
  const origin = area.getBoundingClientRect()
  const middle = (date: string) => {
    const box = area.querySelector(`[data-cell="${date}"]`)?.getBoundingClientRect()
    return box && { x: box.x - origin.x + area.scrollLeft + box.width / 2, y: box.y - origin.y + area.scrollTop + box.height / 2 }
  }
  return [...days.values()].flatMap(({ date, plan_date }) => {
    const [from, to] = [middle(date), plan_date === null ? undefined : middle(plan_date)]
    return from && to ? [{ key: date, path: `M${from.x} ${from.y}Q${(from.x + to.x) / 2 + 24} ${(from.y + to.y) / 2 + 16} ${to.x} ${to.y}` }] : []
  })
}
