import { importApi } from '@campus/jobs/contract'
import type { ImportBatch } from '@campus/jobs/contract'
import { call, Loading, usePage } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Button, Empty, Pagination } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { mergeRows, useMend } from '../grid/use-mend.ts'
import { RowGrid } from '../grid/row-grid.tsx'
import type { Mender } from '../grid/use-mend.ts'
import { refusalText } from '../refusal.ts'
import { rowQuery, rowTabs } from './row-tabs.ts'
import type { RowPick } from './row-tabs.ts'
import type { Unsaved } from './use-unsaved.ts'

const SIZE = 100

type Props = {
  batch: ImportBatch
  pick: RowPick
  all: boolean
  foot?: ReactNode
  /** given where rows may be mended */
  unsaved?: Unsaved
}

/** The rows behind one counter, a hundred at a time. Rows mended here stay in sight although they left the counter. */
export function RowsView(props: Props): ReactNode {
  const [page_index, setPage] = useState(1)
  return <RowsPage key={page_index} {...props} page_index={page_index} setPage={setPage} />
}

function RowsPage({ batch, pick, all, foot, unsaved, page_index, setPage }: Props & { page_index: number; setPage: (page_index: number) => void }): ReactNode {
  const { active } = usePage()
  const { batch_no, columns, state, is_mine } = batch
  const is_open = state === 'parsed' && is_mine
  const query = useQuery({
    queryKey: ['import-rows', batch_no, pick, page_index],
    queryFn: ({ signal }) => call(importApi.rows, { batch_no, page_index, page_size: SIZE, ...rowQuery(pick) }, { signal, quiet: true }),
    enabled: active,
  })
  const mender = useMend(batch_no, unsaved)
  const rows = query.data ? mergeRows(query.data.list, mender.mended) : []
  return (
    <>
      <div className="import-rows">
        {query.isPending && <Loading rows={10} />}
        {query.isError && !query.data && <RowsFailed error={query.error} retry={() => void query.refetch()} />}
        {query.data && rows.length === 0 && <NoRows pick={pick} />}
        {query.data && rows.length > 0 && <RowGrid columns={columns} rows={rows} all={all} mender={is_open ? mender : undefined} />}
      </div>
      <div className="import-foot">
        <FootNote is_open={is_open && rows.length > 0} unsaved={unsaved} mender={mender} />
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

/** How to mend; or, once the server was away, what is only on this screen. */
function FootNote({ is_open, unsaved, mender }: { is_open: boolean; unsaved: Unsaved | undefined; mender: Mender }): ReactNode {
  if (!unsaved || unsaved.count === 0) {
    return <span className="import-hint">{is_open ? '点击红色单元格（或双击其他单元格）修改，Enter 保存，Esc 取消；可从 Excel 粘贴多行多列' : ''}</span>
  }
  const again = () => void mender.mendAll([...unsaved.rows].map(([row_no, cells]) => ({ row_no, cells })))
  return (
    <span className="import-unsaved" role="status">
      {`${unsaved.count} 处修改未保存，内容仍在单元格中`}
      <Button size="small" loading={mender.busy.size > 0} onClick={again}>重新保存</Button>
    </span>
  )
}

function RowsFailed({ error, retry }: { error: Error; retry: () => void }): ReactNode {
  return (
    <div className="kit-failed" role="alert">
      <p>{refusalText(error)}</p>
      <Button onClick={retry}>重试</Button>
    </div>
  )
}

function NoRows({ pick }: { pick: RowPick }): ReactNode {
  const label = rowTabs.find(({ name }) => name === pick)?.label ?? ''
  const text = pick === 'error' ? '没有错误，可以导入' : `没有${label}的行`
  return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={pick === 'all' || label === '' ? '没有数据' : text} />
}
