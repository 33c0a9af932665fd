import type { ReactNode } from 'react'

const grades = [6, 6, 5]

/** The shape of the board while it is on its way. */
export function BoardSkeleton(): ReactNode {
  return (
    <div className="org-body org-skeleton" role="status" aria-label="加载中">
      {grades.map((classes, at) => (
        <div key={at} className="org-grade">
          <i className="org-skeleton-line" />
          <div className="org-cards">{Array.from({ length: classes }, (_, card) => <i key={card} className="org-card" />)}</div>
        </div>
      ))}
    </div>
  )
}
