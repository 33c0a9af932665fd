import { importApi, jobChannel } from '@campus/jobs/contract'
import type { ImportBatch } from '@campus/jobs/contract'
import { call, jobRuns, useChannel, usePage, useRealtime } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { batchRuns } from './batch-stage.ts'

const POLL_MS = 1000
/** What is told may be lost: it is looked for now and then. */
const TOLD_MS = 5000

/**
 * Follows one batch while the server works on it: as its job is told, or every second where nothing is told; stops while its page is hidden. Looks again when the window is come back to:
 * the same batch may be open in another one.
 */
export function useBatch(batch_no: string | undefined): UseQueryResult<ImportBatch> {
  const { active } = usePage()
  const live = useRealtime() === 'live'
  const found = useQuery({
    queryKey: batchKey(batch_no),
    queryFn: ({ signal }) => call(importApi.one, { batch_no: batch_no ?? '' }, { signal, quiet: true }),
    enabled: active && batch_no !== undefined,
    refetchOnWindowFocus: true,
    refetchInterval: (query) => (query.state.data && batchRuns(query.state.data) ? (live ? TOLD_MS : POLL_MS) : false),
  })
  useJobOf(found.data, active)
  return found
}

/** Asks for the batch anew when its job begins or has ended. */
function useJobOf(batch: ImportBatch | undefined, active: boolean): void {
  const client = useQueryClient()
  const ask = () => void client.invalidateQueries({ queryKey: batchKey(batch?.batch_no) })
  useChannel(
    jobChannel,
    (rows) => {
      const latest = rows.at(-1)
      if (latest && (!jobRuns(latest) || batch?.state === 'uploaded')) ask()
    },
    { of: active && batch && batchRuns(batch) ? batch.job_no : null, onGap: ask },
  )
}

/** Asks for a batch and its rows anew, after a write was refused: it may be in another state than the screen says. */
export function useLookAgain(batch_no: string): () => void {
  const client = useQueryClient()
  return () => {
    void client.invalidateQueries({ queryKey: batchKey(batch_no) })
    void client.invalidateQueries({ queryKey: ['import-rows', batch_no] })
  }
}

/** Puts a batch that a write answered where every part of the wizard reads it. */
export function useKeepBatch(): (batch: ImportBatch) => void {
  const client = useQueryClient()
  return (batch) => {
    client.setQueryData(batchKey(batch.batch_no), batch)
    void client.invalidateQueries({ queryKey: ['import-batches'] })
  }
}

function batchKey(batch_no: string | undefined): string[] {
  return ['import-batch', batch_no ?? '']
}
