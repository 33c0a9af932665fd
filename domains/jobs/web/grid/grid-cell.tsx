import type { ImportRow } from '@campus/jobs/contract'
import type { ReactNode } from 'react'
import { CellEditor } from './cell-editor.tsx'
import { changesOf } from './grid-columns.ts'
import type { GridColumn } from './grid-columns.ts'
import { hasError } from './grid-moves.ts'
import type { GridKeys } from './use-grid-keys.ts'

type Props = { row: ImportRow; column: GridColumn; r: number; c: number; keys: GridKeys }

/** One cell: its text, old → new when it changes something, red or amber with the reason under it, or its editor. */
export function GridCell({ row, column, r, c, keys }: Props): ReactNode {
  const here = keys.place?.r === r && keys.place.c === c
  const unsaved = keys.unsavedText(row.row_no, column.prop)
  if (here && keys.editing) {
    return (
      <div role="gridcell" className={cellClass('edited', false, c)}>
        <CellEditor column={column} text={unsaved ?? row.cells[column.prop] ?? ''} is_saved={unsaved === undefined} save={keys.save} cancel={keys.cancel} />
      </div>
    )
  }
  const note = unsaved === undefined ? noteOf(row, column.prop) : not_saved
  const first = keys.place === undefined && r === 0 && c === 0
  return (
    <div
      role="gridcell"
      data-at={`${r}:${c}`}
      tabIndex={here || first ? 0 : -1}
      aria-colindex={c + 3}
      aria-invalid={note?.tone === 'bad'}
      className={cellClass(note?.tone, here, c)}
      title={note?.text ?? row.cells[column.prop]}
      onFocus={() => !here && keys.go({ r, c })}
      onClick={() => (note?.tone === 'bad' || unsaved !== undefined) && keys.edit({ r, c })}
      onDoubleClick={() => keys.edit({ r, c })}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'F2') return
        event.preventDefault()
        keys.edit({ r, c })
      }}
    >
      {unsaved === undefined ? <CellText row={row} column={column} noted={note !== undefined} /> : <span className="grid-text">{unsaved}</span>}
      {note && <small className="grid-note">{note.text}</small>}
    </div>
  )
}

type Note = { tone: 'bad' | 'warn'; text: string }

const not_saved: Note = { tone: 'warn', text: '未保存' }

function noteOf(row: ImportRow, prop: string): Note | undefined {
  if (hasError(row, prop)) return { tone: 'bad', text: said(row.errors, prop) }
  const text = said(row.warnings, prop)
  return text === '' || row.verdict === 'skipped' ? undefined : { tone: 'warn', text }
}

function said(issues: ImportRow['errors'], prop: string): string {
  return issues.filter((issue) => issue.prop === prop).map(({ msg }) => msg).join('；')
}

// The first column says who the row is: it stays in sight.
function cellClass(tone: Note['tone'] | 'edited' | undefined, here: boolean, c: number): string {
  return ['grid-cell', tone ? `grid-cell-${tone}` : '', here ? 'grid-cell-here' : '', c === 0 ? 'grid-who' : ''].filter((name) => name !== '').join(' ')
}

function CellText({ row, column, noted }: { row: ImportRow; column: GridColumn; noted: boolean }): ReactNode {
  const change = noted ? undefined : changesOf(row).find((item) => item.prop === column.prop)
  if (change) {
    return (
      <span className="grid-change" title={`${change.before || '空'} → ${change.after || '空'}`}>
        <del>{change.before || '空'}</del> → <ins>{change.after || '空'}</ins>
      </span>
    )
  }
  const text = row.cells[column.prop] ?? ''
  return text === '' ? <span className="kit-none">{noted ? '空' : ''}</span> : <span className="grid-text">{text}</span>
}
