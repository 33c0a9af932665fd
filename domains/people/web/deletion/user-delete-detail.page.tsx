import { userDeleteApi } from '@campus/people/contract'
import type { DeleteBatchRow, DeleteDetailRow } from '@campus/people/contract'
import { call, usePage } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Empty } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { BatchHead } from './batch-head.tsx'
import { BatchList } from './batch-list.tsx'
import { DetailTable } from './detail-table.tsx'
import { useBatchActs } from './use-batch-acts.ts'
import './deletion.css'

const ProofDrawer = lazy(() => import('./proof-drawer.tsx').then(part => ({ default: part.ProofDrawer })))

/** 人员删除明细: batches on the left, the people of one on the right. */
export default function UserDeleteDetail(): ReactNode {
  const { search, setSearch } = usePage()
  const [latest, setLatest] = useState<string>()
  const batch_no = search.batch_no ?? latest
  const [proof, showProof] = useState<DeleteDetailRow | null>(null)
  const batch = useBatch(batch_no)
  const acts = useBatchActs()
  return (
    <div className="delete-page" data-ready="list">
      <BatchList chosen={batch_no} choose={row => setSearch({ ...search, batch_no: row.batch_no })} onLatest={setLatest} />
      <div className="delete-main">
        {batch ? (
          <>
            <BatchHead batch={batch} acts={acts} />
            <DetailTable key={batch.batch_no} batch={batch} openProof={showProof} cancelOne={row => void acts.cancel(batch, row)} />
          </>
        ) : (
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="删除批次的人员会列在这里" />
        )}
      </div>
      <Suspense>{proof && <ProofDrawer key={proof.user_id} no={proof.batch_no} user_id={proof.user_id} onClose={() => showProof(null)} />}</Suspense>
    </div>
  )
}

const refresh_ms = 5000

/** The chosen batch as it stands. */
function useBatch(batch_no: string | undefined): DeleteBatchRow | undefined {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: [userDeleteApi.batches.call, 'one', batch_no],
    queryFn: ({ signal }) => call(userDeleteApi.batches, { batch_no }, { signal, quiet: true }),
    enabled: batch_no !== undefined,
    refetchInterval: refresh_ms,
  })
  const listed = client.getQueriesData<{ list: DeleteBatchRow[] }>({ queryKey: [userDeleteApi.batches.call] }).flatMap(([, data]) => data?.list ?? []).find(row => row.batch_no === batch_no)
  return batch_no === undefined ? undefined : (query.data?.list[0] ?? listed)
}
