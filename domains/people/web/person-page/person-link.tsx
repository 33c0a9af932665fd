import { useCan } from '@kit/web'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** The name of a person, leading to his page for whoever may open it; told whole where it is cut. */
export function PersonLink({ id, text, need }: { id: string; text: string; need: string }): ReactNode {
  return useCan(need) ? <Link className="kit-link person-link" to="/PersonDetail" search={{ user_id: id }} title={text}>{text}</Link> : <span className="person-link" title={text}>{text}</span>
}
