import { importApi } from '@campus/jobs/contract'
import type { ImportRow } from '@campus/jobs/contract'
import type { Reply } from '@kit/contract'
import { call } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useKeepBatch } from '../wizard/use-batch.ts'

type Page = Reply<typeof importApi.rows>
type Patch = { cells: Record<string, string> } | { skip: boolean }

/** Mends rows of a batch one by one; the server judges each again. Refusals are shown and answer undefined. */
export type Mender = {
  /** rows mended since the page was opened, as the server judges them now */
  mended: ReadonlyMap<number, ImportRow>
  /** rows on their way */
  busy: ReadonlySet<number>
  mend: (row_no: number, patch: Patch) => Promise<ImportRow | undefined>
}

/** See Mender. */
export function useMend(batch_no: string): Mender {
  const [mended, setMended] = useState<ReadonlyMap<number, ImportRow>>(new Map())
  const [busy, setBusy] = useState<ReadonlySet<number>>(new Set())
  const client = useQueryClient()
  const keep = useKeepBatch()
  const mend = async (row_no: number, patch: Patch) => {
    setBusy((before) => new Set(before).add(row_no))
    try {
      const { batch, row } = await call(importApi.fix, { batch_no, row_no, ...patch })
      setMended((before) => new Map(before).set(row_no, row))
      keep(batch)
      client.setQueriesData<Page>({ queryKey: ['import-rows', batch_no] }, (page) => page && { ...page, list: withRow(page.list, row) })
      void client.invalidateQueries({ queryKey: ['import-rows', batch_no] })
      return row
    } catch {
      return undefined
    } finally {
      setBusy((before) => new Set([...before].filter((other) => other !== row_no)))
    }
  }
  return { mended, busy, mend }
}

/** The rows of a page with those mended here, in the order of the sheet. What the server tells last wins. */
export function mergeRows(rows: readonly ImportRow[], mended: ReadonlyMap<number, ImportRow>): ImportRow[] {
  const by_no = new Map([...mended, ...rows.map((row) => [row.row_no, row] as const)])
  return [...by_no.values()].toSorted((a, b) => a.row_no - b.row_no)
}

function withRow(rows: readonly ImportRow[], row: ImportRow): ImportRow[] {
  return rows.map((other) => (other.row_no === row.row_no ? row : other))
}
