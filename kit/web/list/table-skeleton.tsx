import type { ReactNode } from 'react'

const ROWS = 20

/** The table before its first answer: its own heads over grey rows, so that nothing moves when the rows come. Widths in px. */
export function TableSkeleton({ columns }: { columns: readonly { title: string; width: number }[] }): ReactNode {
  const template = columns.map(({ width }) => `minmax(0, ${width}fr)`).join(' ')
  return (
    <div className="kit-skeleton" role="status" aria-label="加载中">
      <div className="kit-skeleton-row kit-skeleton-head" style={{ gridTemplateColumns: template }} aria-hidden>
        {columns.map(({ title }, at) => <span key={at}>{title}</span>)}
      </div>
      {Array.from({ length: ROWS }, (_, row) => (
        <div key={row} className="kit-skeleton-row" style={{ gridTemplateColumns: template }} aria-hidden>
          {columns.map((_column, at) => <i key={at} />)}
        </div>
      ))}
    </div>
  )
}
