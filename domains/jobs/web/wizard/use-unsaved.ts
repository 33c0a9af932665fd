import { confirmDanger } from '@kit/web'
import { useState } from 'react'
import { useLeaveWarning } from '../leave-warning.ts'

/** Texts of one row that were typed or pasted and did not reach the server, by column. */
export type UnsavedRow = Readonly<Record<string, string>>

/** What was typed into a batch and is only on this screen, because the server could not be reached. */
export type Unsaved = {
  rows: ReadonlyMap<number, UnsavedRow>
  /** how many cells */
  count: number
  keep: (row_no: number, cells: UnsavedRow) => void
  /** the cells have arrived, or are given up */
  drop: (row_no: number, props: readonly string[]) => void
  /** asks before what is unsaved would be lost; true when there is nothing or it may go */
  mayLeave: () => Promise<boolean>
}

/** Keeps what could not be saved for as long as the wizard stands on the batch; the browser asks before the page goes. */
export function useUnsaved(batch_no: string | undefined): Unsaved {
  const [kept, setKept] = useState<{ batch_no: string | undefined; rows: ReadonlyMap<number, UnsavedRow> }>({ batch_no, rows: new Map() })
  if (kept.batch_no !== batch_no) setKept({ batch_no, rows: new Map() })
  const { rows } = kept
  const count = [...rows.values()].reduce((sum, cells) => sum + Object.keys(cells).length, 0)
  useLeaveWarning(count > 0)
  const change = (row_no: number, next: (cells: UnsavedRow) => UnsavedRow) =>
    setKept((before) => {
      const cells = next(before.rows.get(row_no) ?? {})
      const others = [...before.rows].filter(([other]) => other !== row_no)
      return { ...before, rows: new Map(Object.keys(cells).length > 0 ? [...others, [row_no, cells]] : others) }
    })
  return {
    rows,
    count,
    keep: (row_no, cells) => change(row_no, (before) => ({ ...before, ...cells })),
    drop: (row_no, props) => change(row_no, (before) => Object.fromEntries(Object.entries(before).filter(([prop]) => !props.includes(prop)))),
    mayLeave: async () => count === 0 || confirmDanger({ title: `还有 ${count} 处修改未保存`, touches: '离开后这些修改会丢失。可以先返回，网络恢复后点击“重新保存”。', ok: '仍要离开' }),
  }
}
