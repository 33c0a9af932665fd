import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { usePage } from '../page/page-context.ts'
import { Loading } from '../parts/loading.tsx'
import { filterTexts } from './filter-texts.ts'
import { Pagination } from './pagination.tsx'
import type { ResourceList } from './use-resource-list.ts'

type Props<Row, Name extends string> = {
  of: ResourceList<Row, Name>
  /** buttons of the whole list */
  actions?: ReactNode
  /** left of the list, e.g. a tree of departments */
  side?: ReactNode
  /** above the list: tabs, bands */
  head?: ReactNode
  /** the search bar */
  filters: ReactNode
  /** the table */
  children: ReactNode
}

/** The screen of a list: search bar, how many and filtered by what, buttons, table, pages. `data-ready` once it has answered. */
export function ListPage<Row, Name extends string>({ of, actions, side, head, filters, children }: Props<Row, Name>): ReactNode {
  const { title } = usePage()
  const ready = !of.first || of.error !== null
  return (
    <div className="kit-list-page" data-ready={ready ? 'list' : undefined}>
      {side && <aside className="kit-side" aria-label="范围">{side}</aside>}
      <div className="kit-list">
        <h1 className="kit-hidden">{title}</h1>
        {head}
        {filters}
        <section className="kit-list-card">
          <div className="kit-toolbar">
            <Summary of={of} />
            <div className="kit-toolbar-actions">{actions}</div>
          </div>
          {ready ? children : <Loading rows={12} />}
          <Pagination of={of} />
        </section>
      </div>
    </div>
  )
}

function Summary<Row>({ of }: { of: ResourceList<Row> }): ReactNode {
  const filters = filterTexts(of.fields, of.values)
  return (
    <div className="kit-summary" aria-live="polite">
      <span>
        共 <b className="kit-number">{of.first ? '…' : of.total.toLocaleString('zh-CN')}</b> 条
      </span>
      {of.selected.length > 0 && <span>已选 {of.selected.length} 条</span>}
      {filters.map((filter) => (
        <Tag key={filter.text} closable onClose={() => of.filterBy(Object.fromEntries(filter.names.map((name) => [name, undefined])))}>
          {filter.text}
        </Tag>
      ))}
    </div>
  )
}
