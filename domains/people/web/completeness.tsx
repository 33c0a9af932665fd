import type { ReactNode } from 'react'

const GOOD = 90
const FAIR = 60

/** How much of a file is filled, as a bar with its percentage. */
export function Completeness({ percent }: { percent: number }): ReactNode {
  return (
    <span className="people-complete" role="meter" aria-label="完整度" aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}>
      <span className="people-complete-track">
        <span className={`people-complete-bar people-complete-${levelOf(percent)}`} style={{ width: `${percent}%` }} />
      </span>
      {percent}
    </span>
  )
}

function levelOf(percent: number): 'good' | 'fair' | 'poor' {
  if (percent >= GOOD) return 'good'
  return percent >= FAIR ? 'fair' : 'poor'
}
