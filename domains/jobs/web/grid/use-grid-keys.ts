import type { ImportRow } from '@campus/jobs/contract'
import { toast } from '@kit/web'
import { useState } from 'react'
import type { ClipboardEvent, KeyboardEvent, RefObject } from 'react'
import type { GridColumn } from './grid-columns.ts'
import { hasError, moved, nextBad, pastedLines, pasteInto } from './grid-moves.ts'
import type { Place } from './grid-moves.ts'
import { useCellFocus } from './use-cell-focus.ts'
import type { Mender } from './use-mend.ts'

/** Where the cursor of the grid stands, and whether its cell is being edited. */
export type GridKeys = {
  place: Place | undefined
  editing: boolean
  go: (place: Place) => void
  edit: (place: Place) => void
  /** saves the text of the cell being edited; with `onward` the cursor goes to the next red cell */
  save: (text: string, onward: boolean) => void
  cancel: () => void
  /** text of a cell that has not reached the server */
  unsavedText: (row_no: number, prop: string) => string | undefined
  onKeyDown: (event: KeyboardEvent) => void
  onPaste: (event: ClipboardEvent) => void
}

type Given = { rows: readonly ImportRow[]; columns: readonly GridColumn[]; mender: Mender | undefined; scroller: RefObject<HTMLDivElement | null>; row_height: number }

/** Keyboard, editing and pasting of a grid. */
export function useGridKeys({ rows, columns, mender, scroller, row_height }: Given): GridKeys {
  const [place, setPlace] = useState<Place>()
  const [editing, setEditing] = useState(false)
  useCellFocus(scroller, place, editing, row_height)
  const go = (next: Place) => {
    setEditing(false)
    setPlace(next)
  }
  const edit = (next: Place) => {
    setPlace(next)
    setEditing(mender !== undefined && columns[next.c]?.editable === true)
  }
  const save = async (text: string, onward: boolean) => {
    setEditing(false)
    const judged = place && (await saveCell(mender, rows[place.r], columns[place.c], text))
    if (!judged || !onward) return
    const next = nextBad(
      rows.map((row) => (row.row_no === judged.row_no ? judged : row)),
      columns,
      place,
    )
    setPlace((here) => (next && here?.r === place.r && here.c === place.c ? next : here))
  }
  return {
    place,
    editing,
    go,
    edit,
    save: (text, onward) => void save(text, onward),
    cancel: () => setEditing(false),
    unsavedText: (row_no, prop) => mender?.unsaved.get(row_no)?.[prop],
    onKeyDown: (event) => {
      if (editing || !place || event.ctrlKey || event.metaKey || event.altKey || onButton(event.target)) return
      const next = moved(place, event.key, rows.length, columns.length)
      if (!next) return
      event.preventDefault()
      go(next)
    },
    onPaste: (event) => {
      const text = event.clipboardData.getData('text/plain')
      if (!place || !mender || (editing && isOneCell(text))) return
      event.preventDefault()
      setEditing(false)
      const lines = pastedLines(text)
      void saveBlock(mender, pasteInto(lines, place, rows, columns), Math.max(0, place.r + lines.length - rows.length))
    },
  }
}

// Answers the row when the cell is right now; nothing when nothing changed or the cell is still wrong.
async function saveCell(mender: Mender | undefined, row: ImportRow | undefined, column: GridColumn | undefined, text: string): Promise<ImportRow | undefined> {
  if (!mender || !row || !column) return undefined
  if (text === (row.cells[column.prop] ?? '')) {
    mender.forget(row.row_no, column.prop)
    return undefined
  }
  const judged = await mender.mend(row.row_no, { cells: { [column.prop]: text } })
  return judged && !hasError(judged, column.prop) ? judged : undefined
}

async function saveBlock(mender: Mender, lines: ReturnType<typeof pasteInto>, outside: number): Promise<void> {
  const saved = await mender.mendAll(lines)
  const parts = [`已粘贴 ${saved} 行`]
  if (saved < lines.length) parts.push(`${lines.length - saved} 行未保存`)
  if (outside > 0) parts.push(`超出本页的 ${outside} 行没有粘贴，请翻页后再粘贴`)
  if (lines.length + outside > 0) toast.info(parts.join('，'))
}

// One value goes into the field being edited; a block belongs to the grid.
function isOneCell(text: string): boolean {
  const lines = pastedLines(text)
  return lines.length === 1 && lines[0]?.length === 1
}

function onButton(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.closest('button') !== null
}
