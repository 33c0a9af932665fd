import { importApi } from '@campus/jobs/contract'
import type { ImportBatch } from '@campus/jobs/contract'
import { call, CallError, usePage } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Button, Empty, Pagination, Skeleton } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { mergeRows, useMend } from '../grid/use-mend.ts'
import { RowGrid } from '../grid/row-grid.tsx'
import { rowQuery, rowTabs } from './row-tabs.ts'
import type { RowPick } from './row-tabs.ts'

const SIZE = 100

type Props = { batch: ImportBatch; pick: RowPick; all: boolean; foot?: ReactNode }

/** The rows behind one counter, a hundred at a time. Rows mended here stay in sight although they left the counter. */
export function RowsView({ batch, pick, all, foot }: Props): ReactNode {
  const [page_index, setPage] = useState(1)
  return <RowsPage key={page_index} batch={batch} pick={pick} all={all} foot={foot} page_index={page_index} setPage={setPage} />
}

function RowsPage({ batch, pick, all, foot, page_index, setPage }: Props & { page_index: number; setPage: (page_index: number) => void }): ReactNode {
  const { active } = usePage()
  const { batch_no, columns, state } = batch
  const query = useQuery({
    queryKey: ['import-rows', batch_no, pick, page_index],
    queryFn: ({ signal }) => call(importApi.rows, { batch_no, page_index, page_size: SIZE, ...rowQuery(pick) }, { signal, quiet: true }),
    enabled: active,
  })
  const mender = useMend(batch_no)
  const rows = query.data ? mergeRows(query.data.list, mender.mended) : []
  return (
    <>
      <div className="import-rows">
        {query.isPending && <Skeleton active title={false} paragraph={{ rows: 10, width: '100%' }} className="kit-skeleton" />}
        {query.isError && <RowsFailed error={query.error} retry={() => void query.refetch()} />}
        {query.isSuccess && rows.length === 0 && <NoRows pick={pick} />}
        {query.isSuccess && rows.length > 0 && <RowGrid columns={columns} rows={rows} all={all} mender={state === 'parsed' ? mender : undefined} />}
      </div>
      <div className="import-foot">
        <span className="import-hint">{state === 'parsed' && rows.length > 0 ? '点击红色单元格（或双击其他单元格）修改，Enter 保存，Esc 取消；可从 Excel 粘贴一列' : ''}</span>
        <div className="import-foot-right">
          {(query.data?.total ?? 0) > SIZE && (
            <Pagination size="small" simple current={page_index} pageSize={SIZE} total={query.data?.total ?? 0} showSizeChanger={false} onChange={setPage} />
          )}
          {foot}
        </div>
      </div>
    </>
  )
}

function RowsFailed({ error, retry }: { error: Error; retry: () => void }): ReactNode {
  return (
    <div className="kit-failed" role="alert">
      <p>{error instanceof CallError && error.msg !== '' ? error.msg : '网络异常，请检查网络'}</p>
      <Button onClick={retry}>重试</Button>
    </div>
  )
}

function NoRows({ pick }: { pick: RowPick }): ReactNode {
  const label = rowTabs.find(({ name }) => name === pick)?.label ?? ''
  const text = pick === 'error' ? '没有错误，可以导入' : `没有${label}的行`
  return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={pick === 'all' ? '没有数据' : text} />
}
