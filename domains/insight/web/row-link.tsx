import type { RowMetric } from '@campus/insight/contract'
import { usePage } from '@kit/web'
import type { PageSearch } from '@kit/web'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** Names under which open rows stand in the address bar. */
const row_names: readonly string[] = ['rows', 'dept_id', 'no_dept']

type Looks = { className?: string; label?: string; title?: string; children: ReactNode }

/** A way to the list that holds the counted rows. */
export function ListLink({ to, className, label, title, children }: Looks & { to: string }): ReactNode {
  const [path = '', text = ''] = to.split('?')
  return (
    <Link to={path} search={Object.fromEntries(new URLSearchParams(text))} className={className} aria-label={label} title={title}>
      {children}
    </Link>
  )
}

/** A way to rows that stand in no list: they open beside the page. */
export function RowsLink({ metric, dept_id, className, label, title, children }: Looks & { metric: RowMetric; dept_id?: string | null }): ReactNode {
  const { search, setSearch } = usePage()
  const open = () => setSearch({ ...withoutRows(search), rows: metric, ...deptPart(dept_id) })
  return (
    <button type="button" className={className} aria-label={label} title={title} aria-haspopup="dialog" onClick={open}>
      {children}
    </button>
  )
}

// Null: the people without department.
function deptPart(dept_id: string | null | undefined): PageSearch {
  if (dept_id === undefined) return {}
  return dept_id === null ? { no_dept: '1' } : { dept_id }
}

/** The address after closing the rows. */
export function withoutRows(search: PageSearch): PageSearch {
  return Object.fromEntries(Object.entries(search).filter(([name]) => !row_names.includes(name)))
}
