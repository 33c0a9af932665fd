import type { ImportColumn, ImportRow } from '@campus/jobs/contract'
import { useState } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import { gridColumns, notedProps } from './grid-columns.ts'
import type { GridColumn } from './grid-columns.ts'
import { GridRow } from './grid-row.tsx'
import { useGridKeys } from './use-grid-keys.ts'
import type { Mender } from './use-mend.ts'
import { useWindow } from './use-window.ts'

const NO_WIDTH = 56
const VERDICT_WIDTH = 84
const REASON_WIDTH = 260
const SKIP_WIDTH = 92
const ROW = 36
const NOTED_ROW = 50
const HEADER = 36

type Props = { columns: readonly ImportColumn[]; rows: readonly ImportRow[]; all: boolean; mender: Mender | undefined }

/** Rows of a sheet as a grid: only rows in sight are drawn; arrows move, Enter edits, a block from Excel can be pasted. */
export function RowGrid({ columns, rows, all, mender }: Props): ReactNode {
  const noted = useNoted(rows)
  const shown = gridColumns(columns, rows, noted, all)
  const is_noted = rows.some((row) => row.errors.length + row.warnings.length > 0) || (mender?.unsaved.size ?? 0) > 0
  const row_height = is_noted ? NOTED_ROW : ROW
  // What is said of a whole row stands under its verdict.
  const has_reasons = rows.some((row) => [...row.errors, ...row.warnings].some(({ prop }) => prop === ''))
  const verdict_width = has_reasons ? REASON_WIDTH : VERDICT_WIDTH
  const { scroller, start, end } = useWindow(rows.length, row_height)
  const keys = useGridKeys({ rows, columns: shown, mender, scroller, row_height })
  const width = NO_WIDTH + verdict_width + (mender ? SKIP_WIDTH : 0) + shown.reduce((sum, column) => sum + column.width, 0)
  const template = [NO_WIDTH, verdict_width, ...shown.map((column) => column.width)].map((px) => `${px}px`).join(' ')
  const style: CSSProperties = { gridTemplateColumns: `${template} minmax(0, 1fr)${mender ? ` ${SKIP_WIDTH}px` : ''}`, minWidth: width }
  return (
    <div
      ref={scroller}
      className={has_reasons ? 'grid grid-reasons' : 'grid'}
      style={{ scrollPaddingLeft: NO_WIDTH + verdict_width + (shown[0]?.width ?? 0) }}
      role="grid"
      tabIndex={-1}
      aria-label="导入数据"
      aria-rowcount={rows.length + 1}
      aria-colcount={shown.length + 2}
      aria-readonly={mender === undefined}
      onKeyDown={keys.onKeyDown}
      onPaste={keys.onPaste}
    >
      <GridHead columns={shown} style={{ ...style, height: HEADER }} has_end={mender !== undefined} />
      <div role="rowgroup" className="grid-rows" style={{ height: rows.length * row_height, minWidth: width }}>
        {rows.slice(start, end).map((row, at) => (
          <GridRow key={row.row_no} row={row} r={start + at} columns={shown} style={{ ...style, height: row_height, top: (start + at) * row_height }} keys={keys} mender={mender} />
        ))}
      </div>
    </div>
  )
}

function GridHead({ columns, style, has_end }: { columns: readonly GridColumn[]; style: CSSProperties; has_end: boolean }): ReactNode {
  return (
    <div role="row" className="grid-head" style={style}>
      <div role="columnheader" className="grid-no">行号</div>
      <div role="columnheader" className="grid-verdict">结果</div>
      {columns.map((column, c) => (
        <div role="columnheader" key={column.prop} className={c === 0 ? 'grid-who' : undefined} title={column.label}>
          {column.label}
          {column.required && <i aria-label="必填">*</i>}
        </div>
      ))}
      <div role="presentation" />
      {has_end && <div role="columnheader" className="grid-end">操作</div>}
    </div>
  )
}

// Columns that were noted once stay where they are: a mended cell must not move under the hand.
function useNoted(rows: readonly ImportRow[]): readonly string[] {
  const [noted, setNoted] = useState<readonly string[]>(() => notedProps(rows))
  const fresh = notedProps(rows).filter((prop) => !noted.includes(prop))
  if (fresh.length > 0) setNoted([...noted, ...fresh])
  return noted
}
