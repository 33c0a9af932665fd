import { Empty, Table } from 'antd'
import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import { cellOf } from '../list/cell.tsx'
import { useSize } from '../list/use-size.ts'
import { Figure, figureText } from './figure.tsx'
import type { Drill } from './figure.tsx'
import type { ReportRow, ShownReport } from './use-report.ts'

const [key_width, figure_width] = [128, 104]
/** Heads, totals and the scroll bar of the table. */
const around = 84

/** Groups with their figures; heads sort, the last line adds up all pages. */
export function ReportTable({ of, drill, empty }: { of: ShownReport; drill: Drill | undefined; empty: string }): ReactNode {
  const [area, { height }] = useSize()
  const { fact, fields, data } = of
  const keys = Object.keys(fact.keys).filter(name => !fact.keys[name]?.hidden && fields.of[name] !== undefined)
  const measures = Object.entries(fact.measures)
  const figure = figureOf(of, drill)
  const totals = data && data.list.length > 0 && (
    <Table.Summary fixed>
      <Table.Summary.Row className="kit-report-totals">
        {keys.map((name, at) => <Table.Summary.Cell key={name} index={at}>{at === 0 ? '合计' : ''}</Table.Summary.Cell>)}
        {measures.map(([name], at) => <Table.Summary.Cell key={name} index={keys.length + at} align="right">{figure(null, name, data.totals[name])}</Table.Summary.Cell>)}
      </Table.Summary.Row>
    </Table.Summary>
  )
  const columns: TableColumnType<ReportRow>[] = [
    ...keys.map(name => {
      const field = fields.of[name] ?? { label: name }
      return { key: name, title: field.label, width: field.width ?? key_width, ellipsis: true, ...sorting(of, name), render: (_: unknown, row: ReportRow) => cellOf(name, field, row) }
    }),
    ...measures.map(([name, { label, unit, width }]) => ({
      key: name, title: unit === '' ? label : `${label}（${unit}）`, width: width ?? figure_width, align: 'right' as const, className: 'kit-number', ...sorting(of, name), render: (_: unknown, row: ReportRow) => figure(row, name, row[name]),
    })),
  ]
  return (
    <div className="kit-table" ref={area}>
      <Table<ReportRow>
        size="small" rowKey={row => Object.keys(fact.keys).map(name => String(row[name])).join('/')} columns={columns} dataSource={[...(data?.list ?? [])]}
        loading={{ spinning: of.loading, delay: 200 }} pagination={false} showSorterTooltip={false} scroll={data && data.list.length > 0 ? { x: 'max-content', y: Math.max(160, height - around) } : {}}
        onChange={(_page, _filters, sorter) => of.change({ sort: Array.isArray(sorter) ? undefined : wishOf(String(sorter.columnKey), sorter.order) })}
        locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={empty} /> }}
        summary={() => totals}
      />
    </div>
  )
}

/** The cell of a measure in one group, or in the totals. */
function figureOf({ fact, asked }: ShownReport, drill: Drill | undefined): (row: ReportRow | null, name: string, value: unknown) => ReactNode {
  return (row, name, value) => {
    const { label = '', unit = '' } = fact.measures[name] ?? {}
    const text = figureText(value)
    return <Figure text={text} label={`${label}${text}${unit}`} open={drill?.(row, name, asked)?.open} />
  }
}

function sorting({ sort }: ShownReport, name: string): Pick<TableColumnType<ReportRow>, 'sorter' | 'sortOrder'> {
  return { sorter: true, sortOrder: sort === name ? 'ascend' : sort === `-${name}` ? 'descend' : null }
}

function wishOf(name: string, order: 'ascend' | 'descend' | null | undefined): string | undefined {
  if (order === 'ascend') return name
  return order === 'descend' ? `-${name}` : undefined
}
