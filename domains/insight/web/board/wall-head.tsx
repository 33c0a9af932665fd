import { PageFrame, usePage } from '@kit/web'
import type { ReactNode } from 'react'

/** The head of a dashboard: that of its page, and on a wall, where nothing of the page is in sight, one of its own. */
export function WallHead({ on, help, children }: { on: boolean; help?: ReactNode; children: ReactNode }): ReactNode {
  const { title } = usePage()
  if (!on) return <PageFrame help={help} actions={children} />
  return (
    <header className="insight-board-head">
      <h2>{title}</h2>
      {help !== undefined && <span className="insight-hint">{help}</span>}
      <span className="insight-board-buttons">{children}</span>
    </header>
  )
}
