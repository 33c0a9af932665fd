import { schoolToday } from '@kit/web'
import type { ReactNode } from 'react'
import { termOf } from './term.ts'
import type { Term } from './term.ts'

/** From when to when somebody holds a role, with how far it has come. */
export function TermCell({ member }: { member: Term }): ReactNode {
  const { kind, text, word, part } = termOf(member, schoolToday())
  return (
    <span className="member-term" data-kind={kind} title={`${text} ${word}`}>
      <span className="kit-number">{text}</span>
      <em>{word}</em>
      <span className="member-bar" aria-hidden><i style={{ width: `${part * 100}%` }} /></span>
    </span>
  )
}
