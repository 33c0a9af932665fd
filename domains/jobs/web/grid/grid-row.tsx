import type { ImportRow } from '@campus/jobs/contract'
import { Button, Tag } from 'antd'
import type { CSSProperties, ReactNode } from 'react'
import { GridCell } from './grid-cell.tsx'
import type { GridColumn } from './grid-columns.ts'
import type { GridKeys } from './use-grid-keys.ts'
import type { Mender } from './use-mend.ts'

const verdicts: Record<ImportRow['verdict'], { label: string; color: string }> = {
  new: { label: '新增', color: 'green' },
  change: { label: '变更', color: 'blue' },
  same: { label: '未变', color: 'default' },
  error: { label: '错误', color: 'red' },
  skipped: { label: '已忽略', color: 'default' },
}

type Props = { row: ImportRow; r: number; columns: readonly GridColumn[]; style: CSSProperties; keys: GridKeys; mender: Mender | undefined }

/** One line of the sheet: its number, the verdict, its cells, and leaving it out. */
export function GridRow({ row, r, columns, style, keys, mender }: Props): ReactNode {
  const busy = mender?.busy.has(row.row_no) === true
  return (
    <div role="row" aria-rowindex={r + 2} className={rowClass(row, mender)} style={style} aria-busy={busy}>
      <div role="rowheader" className="grid-no kit-number" title={row.sheet ?? undefined}>{row.sheet === null ? row.line : <span className="grid-sheet"><small>{row.sheet}</small>{row.line}</span>}</div>
      <div role="gridcell" className="grid-verdict">
        <Verdict row={row} />
      </div>
      {columns.map((column, c) => (
        <GridCell key={column.prop} row={row} column={column} r={r} c={c} keys={keys} />
      ))}
      <div role="presentation" />
      {mender && (
        <div role="gridcell" className="grid-end">
          {row.verdict === 'skipped' ? (
            <Button type="link" size="small" disabled={busy} onClick={() => void mender.mend(row.row_no, { skip: false })}>恢复</Button>
          ) : (
            <Button type="link" size="small" disabled={busy} onClick={() => void mender.mend(row.row_no, { skip: true })}>忽略此行</Button>
          )}
        </div>
      )}
    </div>
  )
}

function rowClass(row: ImportRow, mender: Mender | undefined): string {
  const was_mended = mender?.mended.has(row.row_no) === true && row.verdict !== 'error' && row.verdict !== 'skipped'
  return ['grid-row', row.verdict === 'skipped' ? 'grid-row-skipped' : '', was_mended ? 'grid-row-mended' : ''].filter((name) => name !== '').join(' ')
}

function Verdict({ row }: { row: ImportRow }): ReactNode {
  const whole = [...row.errors, ...row.warnings].filter(({ prop }) => prop === '').map(({ msg }) => msg).join('；')
  const { label, color } = verdicts[row.verdict]
  return (
    <>
      <Tag color={color}>{label}</Tag>
      {whole !== '' && (
        <small className="grid-note" title={whole}>
          {whole}
        </small>
      )}
    </>
  )
}
