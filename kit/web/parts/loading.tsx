import type { ReactNode } from 'react'

/** Grey lines where something is about to stand. */
export function Loading({ rows }: { rows: number }): ReactNode {
  return (
    <div className="kit-loading" role="status" aria-label="加载中">
      {Array.from({ length: rows }, (_, at) => <i key={at} />)}
    </div>
  )
}
