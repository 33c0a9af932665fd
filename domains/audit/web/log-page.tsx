import { page_sizes } from '@kit/contract'
import { ListToolbar } from '@kit/web'
import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Button, Select, Tag } from 'antd'
import type { ReactNode } from 'react'
import type { LogList } from './use-log-list.ts'

type Props<Row, Name extends string> = { of: LogList<Row, Name>; head: ReactNode; filters: ReactNode; actions: ReactNode; children: ReactNode }

const sizes = page_sizes.map(size => ({ value: size, label: `${size} 条/页` }))

/** The screen of a journal: as a list, but read onwards instead of by page numbers, since new rows come in all the time. */
export function LogPage<Row, Name extends string>({ of, head, filters, actions, children }: Props<Row, Name>): ReactNode {
  const without_rows = of.error === null ? undefined : 'failed'
  return (
    <div className="kit-list-page" data-ready={of.first ? without_rows : 'list'}>
      <div className="kit-list">
        {head}
        {filters}
        <section className="kit-list-card">
          <ListToolbar summary={<Summary of={of} />} actions={actions} />
          {children}
          <nav className="kit-pagination" aria-label="分页">
            <Select<number> size="small" aria-label="每页条数" options={sizes} value={of.page_size} onChange={of.resize} popupMatchSelectWidth={false} />
            <Button size="small" icon={<LeftOutlined aria-hidden />} disabled={of.newer === undefined} onClick={of.newer}>较新</Button>
            <Button size="small" icon={<RightOutlined aria-hidden />} iconPlacement="end" disabled={of.older === undefined} onClick={of.older}>较早</Button>
          </nav>
        </section>
      </div>
    </div>
  )
}

function Summary<Row, Name extends string>({ of }: { of: LogList<Row, Name> }): ReactNode {
  const known: Record<string, LogList<Row, Name>['fields']['of'][Name]> = of.fields.of
  const texts = Object.values(known).flatMap(({ label, filter }) => {
    const text = filter?.text(of.values)
    return filter && text ? [{ names: filter.names, text: `${label}：${text}` }] : []
  })
  return (
    <div className="kit-summary" aria-live="polite">
      <span>
        共 <b className="kit-number">{of.first ? '…' : `${of.total.toLocaleString('en')}${of.is_bounded ? '+' : ''}`}</b> 条
      </span>
      {texts.map(({ names, text }) => (
        <Tag key={text} title={text} closable={{ 'aria-label': `去掉条件 ${text}` }} onClose={() => of.filterBy(Object.fromEntries(names.map(name => [name, undefined])))}>
          <span className="kit-summary-text">{text}</span>
        </Tag>
      ))}
    </div>
  )
}
