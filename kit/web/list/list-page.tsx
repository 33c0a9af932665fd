import { Button, Tag } from 'antd'
import type { ReactNode } from 'react'
import { minuteText } from '../parts/school-time.ts'
import { filterTexts } from './filter-texts.ts'
import { ListToolbar } from './list-toolbar.tsx'
import { Pagination } from './pagination.tsx'
import type { ResourceList } from './use-resource-list.ts'

type Props<Row, Name extends string> = {
  of: ResourceList<Row, Name>
  /** buttons of the whole list: at most one primary and two others */
  actions?: ReactNode
  /** the other buttons of the whole list, under 更多 */
  more?: ReactNode
  /** what may be done with the chosen rows; lies over the toolbar while some are chosen */
  batch?: ReactNode
  /** left of the list, e.g. a tree of departments */
  side?: ReactNode
  /** above the list: tabs, bands */
  head?: ReactNode
  /** the search bar */
  filters: ReactNode
  /** the table */
  children: ReactNode
}

/** The screen of a list: search bar, how many and filtered by what, buttons, table, pages. `data-ready` once it has answered, or could not. */
export function ListPage<Row, Name extends string>({ of, actions, more, batch, side, head, filters, children }: Props<Row, Name>): ReactNode {
  const without_rows = of.error === null ? undefined : 'failed'
  return (
    <div className="kit-list-page" data-ready={of.first ? without_rows : 'list'}>
      {side && <aside className="kit-side" aria-label="范围">{side}</aside>}
      <div className="kit-list">
        {head}
        {filters}
        <section className="kit-list-card">
          <ListToolbar
            summary={<Summary of={of} />}
            actions={actions}
            more={more}
            selection={{ count: of.selected.length, acts: batch, clear: () => of.select([]) }}
          />
          <Stale of={of} />
          {children}
          <Pagination of={of} />
        </section>
      </div>
    </div>
  )
}

/** A later refresh was refused or lost: the rows stay, and say of when they are. */
function Stale<Row>({ of }: { of: ResourceList<Row> }): ReactNode {
  if (of.first || of.error === null || of.updated_at === undefined) return null
  const of_when = minuteText(of.updated_at)
  return (
    <div className="kit-stale" role="alert">
      <span>刷新失败，显示的是 {of_when} 的数据</span>
      <Button size="small" loading={of.loading} onClick={() => void of.refresh()}>重试</Button>
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
      {filters.map((filter) => (
        <Tag key={filter.text} title={filter.text} closable={{ 'aria-label': `去掉条件 ${filter.text}` }} onClose={() => of.filterBy(Object.fromEntries(filter.names.map((name) => [name, undefined])))}>
          <span className="kit-summary-text">{filter.text}</span>
        </Tag>
      ))}
    </div>
  )
}
