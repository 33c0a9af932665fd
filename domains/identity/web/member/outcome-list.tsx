import type { ReactNode } from 'react'

/** What became of one person of a call. */
export type Outcome = { key: string; name: string; error: string | null }

/** The people for whom it did not work, each with the reason. */
export function OutcomeList({ outcomes }: { outcomes: readonly Outcome[] }): ReactNode {
  const refused = outcomes.filter(({ error }) => error !== null)
  return (
    <div role="alert" className="member-outcomes">
      <p>{outcomes.length - refused.length}人已完成，{refused.length}人未完成：</p>
      <ul>{refused.map(({ key, name, error }) => <li key={key}><b>{name}</b><span>{error}</span></li>)}</ul>
    </div>
  )
}
