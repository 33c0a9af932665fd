import { useCan } from '@kit/web'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** The name of a person, leading to his page for whoever may open it. */
export function PersonLink({ id, text, need }: { id: string; text: string; need: string }): ReactNode {
  return useCan(need) ? <Link className="kit-link person-link" to="/PersonDetail" search={{ user_id: id }}>{text}</Link> : <span className="person-link">{text}</span>
}
