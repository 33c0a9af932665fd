import { importApi } from '@campus/jobs/contract'
import type { ImportBatch } from '@campus/jobs/contract'
import { call, usePage } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { batchRuns } from './batch-stage.ts'

const POLL_MS = 1000

/** Follows one batch, every second while the server works on it; stops while its page is hidden. */
export function useBatch(batch_no: string | undefined): UseQueryResult<ImportBatch> {
  const { active } = usePage()
  return useQuery({
    queryKey: batchKey(batch_no),
    queryFn: ({ signal }) => call(importApi.one, { batch_no: batch_no ?? '' }, { signal, quiet: true }),
    enabled: active && batch_no !== undefined,
    refetchInterval: (query) => (query.state.data && batchRuns(query.state.data) ? POLL_MS : false),
  })
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
