import { importApi } from '@campus/jobs/contract'
import type { ImportRow } from '@campus/jobs/contract'
import type { Reply } from '@kit/contract'
import { call } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isPassing, sayUnreachable } from '../refusal.ts'
import { useKeepBatch, useLookAgain } from '../wizard/use-batch.ts'
import type { Unsaved, UnsavedRow } from '../wizard/use-unsaved.ts'

type Page = Reply<typeof importApi.rows>
type Patch = { cells: UnsavedRow } | { skip: boolean }
type MendedLine = { row_no: number; cells: UnsavedRow }

/** Mends rows of a batch one by one; the server judges each again. What it refuses or does not answer is shown and stays in `unsaved`. */
export type Mender = {
  /** rows mended since the page was opened, as the server judges them now */
  mended: ReadonlyMap<number, ImportRow>
  /** rows on their way */
  busy: ReadonlySet<number>
  /** texts that have not reached the server */
  unsaved: Unsaved['rows']
  /** answers undefined when it was not saved */
  mend: (row_no: number, patch: Patch) => Promise<ImportRow | undefined>
  /** mends many; does not go on asking a server that is away. @returns how many rows were saved */
  mendAll: (lines: readonly MendedLine[]) => Promise<number>
  /** the cell is as the server has it */
  forget: (row_no: number, prop: string) => void
}

/** See Mender. */
export function useMend(batch_no: string, unsaved: Unsaved | undefined): Mender {
  const [mended, setMended] = useState<ReadonlyMap<number, ImportRow>>(new Map())
  const [busy, setBusy] = useState<ReadonlySet<number>>(new Set())
  const client = useQueryClient()
  const keep = useKeepBatch()
  const lookAgain = useLookAgain(batch_no)
  const send = async (row_no: number, patch: Patch): Promise<ImportRow | 'refused' | 'away'> => {
    setBusy((before) => new Set(before).add(row_no))
    try {
      const { batch, row } = await call(importApi.fix, { batch_no, row_no, ...patch })
      setMended((before) => new Map(before).set(row_no, row))
      keep(batch)
      if ('cells' in patch) unsaved?.drop(row_no, Object.keys(patch.cells))
      client.setQueriesData<Page>({ queryKey: ['import-rows', batch_no] }, (page) => page && { ...page, list: withRow(page.list, row) })
      void client.invalidateQueries({ queryKey: ['import-rows', batch_no] })
      return row
    } catch (cause) {
      if ('cells' in patch) unsaved?.keep(row_no, patch.cells)
      sayUnreachable(cause)
      if (isPassing(cause)) return 'away'
      lookAgain()
      return 'refused'
    } finally {
      setBusy((before) => new Set([...before].filter((other) => other !== row_no)))
    }
  }
  const mend = async (row_no: number, patch: Patch) => {
    const ended = await send(row_no, patch)
    return typeof ended === 'string' ? undefined : ended
  }
  const mendAll = async (lines: readonly MendedLine[]) => {
    let saved = 0
    for (const [at, { row_no, cells }] of lines.entries()) {
      const ended = await send(row_no, { cells })
      if (ended === 'away') {
        for (const rest of lines.slice(at + 1)) unsaved?.keep(rest.row_no, rest.cells)
        return saved
      }
      if (ended !== 'refused') saved += 1
    }
    return saved
  }
  return { mended, busy, unsaved: unsaved?.rows ?? new Map(), mend, mendAll, forget: (row_no, prop) => unsaved?.drop(row_no, [prop]) }
}

/** The rows of a page with those mended here, in the order of the sheet. What the server tells last wins. */
export function mergeRows(rows: readonly ImportRow[], mended: ReadonlyMap<number, ImportRow>): ImportRow[] {
  const by_no = new Map([...mended, ...rows.map((row) => [row.row_no, row] as const)])
  return [...by_no.values()].toSorted((a, b) => a.row_no - b.row_no)
}

function withRow(rows: readonly ImportRow[], row: ImportRow): ImportRow[] {
  return rows.map((other) => (other.row_no === row.row_no ? row : other))
}
