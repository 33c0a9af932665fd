import { SettingOutlined } from '@ant-design/icons'
import { Button, Table as AntdTable, Tooltip } from 'antd'
import type { TableColumnType } from 'antd'
import type { TableRowSelection } from 'antd/es/table/interface'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import type { ColumnSetting } from '../ports.ts'
import type { ShareColumns } from './column-settings.tsx'
import { cellOf } from './cell.tsx'
import { columnsOf, defaultSettings, fitWidths } from './columns.ts'
import type { Shown } from './columns.ts'
import type { Column } from './fields.ts'
import { ListFailed, ListNothing } from './list-states.tsx'
import { TableSkeleton } from './table-skeleton.tsx'
import { useColumnSettings } from './use-column-settings.ts'
import type { ResourceList } from './use-resource-list.ts'
import { useSize } from './use-size.ts'

const ColumnSettings = lazy(() => import('./column-settings.tsx').then((part) => ({ default: part.ColumnSettings })))
const VIRTUAL_FROM = 100
const WIDTH = 120
const SELECT_WIDTH = 40
const HEADER = 37
const ACTIONS = '操作'

type Props<Row, Name extends string> = {
  of: ResourceList<Row, Name>
  /** columns shown at first; they fit 1366 px */
  show: readonly Shown<NoInfer<Row>, NoInfer<Name>>[]
  /** columns offered in the settings, hidden at first */
  more?: readonly Shown<NoInfer<Row>, NoInfer<Name>>[]
  /** buttons of a row */
  row?: (row: Row) => ReactNode
  row_width?: number
  selectable?: boolean
  /** rows of two lines, 56 px high instead of 40 */
  two_line?: boolean
  /** makes the columns those of everybody who has not chosen his own; absent: the reader may not, or the list has no common ones */
  share?: ShareColumns
  /** said when the list is empty without any filter: why, and the next act */
  empty?: string
}

/** The table of a list: fills the page, numbers right, column settings, virtual from 100 rows. */
export function Table<Row extends object, Name extends string>({ of, show, more = [], row, row_width = 120, selectable, two_line = false, share, empty }: Props<Row, Name>): ReactNode {
  const [area, { width, height }] = useSize()
  useFocusableBody(area)
  const [open, setOpen] = useState(false)
  const shown = columnsOf(of.fields, show)
  const offered = columnsOf(of.fields, more)
  const defaults = defaultSettings(shown, offered)
  const { lines, save, reset } = useColumnSettings(of.home, defaults)
  const described = [...shown, ...offered]
  const columns = antdColumns(described, lines, useUnchanged(described))
  const acted = row ? [...columns, actionColumn(row, row_width, () => setOpen(true))] : columns
  const edge = selectable ? SELECT_WIDTH : 0
  const fitted = fitWidths(acted.map((column) => Number(column.width)), width - edge)
  const x = fitted.reduce((sum, px) => sum + px, edge)
  // The area stays through every state: it is measured once.
  if (of.first) {
    const heads = acted.map((column, at) => ({ title: typeof column.title === 'string' ? column.title : ACTIONS, width: fitted[at] ?? WIDTH }))
    return (
      <div className="kit-table" ref={area}>
        {of.error ? <ListFailed error={of.error} busy={of.loading} retry={of.refresh} /> : <TableSkeleton columns={selectable ? [{ title: '', width: SELECT_WIDTH }, ...heads] : heads} />}
      </div>
    )
  }
  return (
    <div className={two_line ? 'kit-table kit-two-line' : 'kit-table'} ref={area}>
      {!row && <SettingsButton open={() => setOpen(true)} />}
      <AntdTable<Row>
        size="small"
        rowKey={of.fields.key}
        columns={acted.map((column, at) => ({ ...column, width: fitted[at] }))}
        dataSource={of.rows}
        loading={{ spinning: of.loading, delay: 200 }}
        pagination={false}
        virtual={of.rows.length >= VIRTUAL_FROM}
        scroll={{ x, y: Math.max(160, height - HEADER) }}
        rowSelection={selectable ? selectionOf(of) : undefined}
        locale={{ emptyText: <ListNothing list={of} next={empty} /> }}
      />
      <Suspense>{open && <ColumnSettings lines={lines} onChange={save} onReset={reset} share={share} onClose={() => setOpen(false)} />}</Suspense>
    </div>
  )
}

// antd names the boxes in English.
function selectionOf<Row extends object>(of: ResourceList<Row>): TableRowSelection<Row> {
  return {
    columnWidth: SELECT_WIDTH,
    selectedRowKeys: of.selected,
    onChange: of.select,
    getTitleCheckboxProps: () => ({ 'aria-label': '选择本页全部' }),
    getCheckboxProps: (row) => ({ 'aria-label': `选择第${of.rows.indexOf(row) + 1}行` }),
  }
}

// A body that scrolls must be reachable by Tab, and the hidden row in which antd repeats the heads must not; antd offers no prop for either.
function useFocusableBody(area: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    area.current?.querySelector('.ant-table-body')?.setAttribute('tabindex', '0')
    area.current?.querySelector('.ant-table-measure-row')?.setAttribute('inert', '')
  })
}

/** Names of the columns that are as they were when the table was last drawn: their cells are drawn again for rows that changed alone. */
function useUnchanged<Row>(columns: readonly Column<Row>[]): ReadonlySet<string> {
  const [drawn] = useState(() => new Map<string, Column<Row>>())
  const unchanged = columns.filter(column => isAlike(column, drawn.get(column.prop))).map(({ prop }) => prop)
  useEffect(() => {
    for (const column of columns) drawn.set(column.prop, column)
  })
  return new Set(unchanged)
}

function isAlike(one: object, other: object | undefined): boolean {
  if (other === undefined) return false
  const before = new Map<string, unknown>(Object.entries(other))
  const now = Object.entries(one)
  return now.length === before.size && now.every(([name, value]) => Object.is(value, before.get(name)))
}

function antdColumns<Row extends object>(
  columns: readonly Column<Row>[],
  lines: readonly ColumnSetting[],
  unchanged: ReadonlySet<string>,
): TableColumnType<Row>[] {
  const by_prop = new Map(columns.map((column) => [column.prop, column]))
  return lines.flatMap((line) => {
    const field = by_prop.get(line.prop)
    if (!field || !line.checked) return []
    const label = line.label_copy ?? line.label
    return {
      key: line.prop,
      title: field.unit ? `${label}（${field.unit}）` : label,
      width: field.width ?? WIDTH,
      ellipsis: true,
      align: field.kind === 'number' ? ('right' as const) : undefined,
      className: field.kind ? 'kit-number' : undefined,
      shouldCellUpdate: (row: Row, before: Row) => row !== before || !unchanged.has(line.prop),
      render: (_: unknown, row: Row) => cellOf(line.prop, field, row),
    }
  })
}

function actionColumn<Row>(row: (row: Row) => ReactNode, width: number, settings: () => void): TableColumnType<Row> {
  const title = (
    <span className="kit-actions-title">
      {ACTIONS}
      <SettingsButton open={settings} />
    </span>
  )
  return { key: 'kit-actions', title, width, fixed: 'end', render: (_: unknown, record: Row) => <span className="kit-actions">{row(record)}</span> }
}

function SettingsButton({ open }: { open: () => void }): ReactNode {
  return (
    <Tooltip title="列设置">
      <Button className="kit-settings" type="text" size="small" icon={<SettingOutlined />} aria-label="列设置" onClick={open} />
    </Tooltip>
  )
}
