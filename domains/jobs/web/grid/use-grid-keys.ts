import type { ImportRow } from '@campus/jobs/contract'
import { toast } from '@kit/web'
import { useEffect, useState } from 'react'
import type { ClipboardEvent, KeyboardEvent, RefObject } from 'react'
import type { GridColumn } from './grid-columns.ts'
import { hasError, moved, nextBad, pastedLines, pasteInto } from './grid-moves.ts'
import type { Place } from './grid-moves.ts'
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
  onKeyDown: (event: KeyboardEvent) => void
  onPaste: (event: ClipboardEvent) => void
}

type Given = { rows: readonly ImportRow[]; columns: readonly GridColumn[]; mender: Mender | undefined; scroller: RefObject<HTMLDivElement | null>; row_height: number }

/** Keyboard, editing and pasting of a grid. */
export function useGridKeys({ rows, columns, mender, scroller, row_height }: Given): GridKeys {
  const [place, setPlace] = useState<Place>()
  const [editing, setEditing] = useState(false)
  useFocus(scroller, place, editing, row_height)
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
    const row = place && rows[place.r]
    const column = place && columns[place.c]
    if (!mender || !row || !column || text === (row.cells[column.prop] ?? '')) return
    const judged = await mender.mend(row.row_no, { cells: { [column.prop]: text } })
    if (!judged || !onward || hasError(judged, column.prop)) return
    const now = rows.map((other) => (other.row_no === judged.row_no ? judged : other))
    const next = nextBad(now, columns, place)
    setPlace((here) => (next && here?.r === place.r && here.c === place.c ? next : here))
  }
  const paste = async (text: string, from: Place) => {
    const lines = pasteInto(pastedLines(text), from, rows, columns)
    let saved = 0
    for (const { row_no, cells } of lines) if (await mender?.mend(row_no, { cells })) saved += 1
    if (lines.length > 0) toast.info(saved === lines.length ? `已粘贴 ${saved} 行` : `已粘贴 ${saved} 行，${lines.length - saved} 行未保存`)
  }
  return {
    place,
    editing,
    go,
    edit,
    save: (text, onward) => void save(text, onward),
    cancel: () => setEditing(false),
    onKeyDown: (event) => {
      if (editing || !place || event.ctrlKey || event.metaKey || event.altKey || onButton(event.target)) return
      const next = moved(place, event.key, rows.length, columns.length)
      if (next) go(next)
      else if (event.key === 'Enter' || event.key === 'F2') edit(place)
      else return
      event.preventDefault()
    },
    onPaste: (event) => {
      if (editing || !place || !mender) return
      event.preventDefault()
      void paste(event.clipboardData.getData('text/plain'), place)
    },
  }
}

// Rows out of sight are not in the page: the scroller moves first, the cell takes the focus when it is there.
function useFocus(scroller: RefObject<HTMLDivElement | null>, place: Place | undefined, editing: boolean, row_height: number): void {
  useEffect(() => {
    const box = scroller.current
    if (!box || !place || editing) return
    const top = place.r * row_height
    const sight = box.clientHeight - row_height * 2
    if (top < box.scrollTop) box.scrollTop = top
    else if (top > box.scrollTop + sight) box.scrollTop = top - sight
    const focus = () => {
      const cell = box.querySelector<HTMLElement>(`[data-at="${place.r}:${place.c}"]`)
      cell?.focus({ preventScroll: true })
      cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    }
    const frame = window.requestAnimationFrame(focus)
    return () => window.cancelAnimationFrame(frame)
  }, [scroller, place, editing, row_height])
}

function onButton(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.closest('button') !== null
}
