import { Link } from '@tanstack/react-router'
import type { LineFacts } from './tree-line.tsx'

/** How many pupils are below a department on the shown day, leading to them. */
export function pupilCount(on: string | undefined): LineFacts {
  return (node, tab_index) => (
    <Link className="org-line-count" to="/ParentsRecord" search={{ dept_id: node.id, ...(on === undefined ? {} : { on }) }} tabIndex={tab_index}>
      {node.student_count.toLocaleString('en-US')} 人
    </Link>
  )
}
