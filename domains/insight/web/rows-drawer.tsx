import { metrics, statisticsApi } from '@campus/insight/contract'
import type { RowMetric, StatRow } from '@campus/insight/contract'
import { AppDrawer, call, CallError, Loading } from '@kit/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Empty, Table } from 'antd'
import type { TableColumnType } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ListLink } from './row-link.tsx'
import { inWords } from './words.ts'

const PAGE_SIZE = 20
const GHOST_ROWS = 10

/** The rows a figure counted, with the sentence that says what is counted. */
export function RowsDrawer({ metric, dept_id, no_dept, onClose }: { metric: RowMetric; dept_id: string | undefined; no_dept: string | undefined; onClose: () => void }): ReactNode {
  const [page_index, setPage] = useState(1)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [statisticsApi.rows.call, metric, dept_id, no_dept, page_index],
    queryFn: ({ signal }) => call(statisticsApi.rows, { metric, dept_id, no_dept: no_dept === '1' ? '1' : undefined, page_index, page_size: PAGE_SIZE }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
  })
  const { unit } = metrics[metric]
  const title = inWords(metrics[metric].title)
  const heading = data ? `${title}　${data.total.toLocaleString('zh-CN')}${unit}` : title
  return (
    <AppDrawer title={heading} onClose={onClose} size={560}>
      <p className="insight-sentence">{inWords(metrics[metric].sentence)}</p>
      {error && !data && (
        <div className="kit-failed" role="alert">
          <p>{reasonOf(error)}</p>
          <Button loading={isFetching} onClick={() => void refetch()}>重试</Button>
        </div>
      )}
      {!data && !error && <Loading rows={GHOST_ROWS} />}
      {data && (
        <Table<StatRow>
          size="small"
          rowKey="key"
          columns={columnsOf(data.list)}
          dataSource={data.list}
          loading={isFetching}
          locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有数据" /> }}
          pagination={{ current: page_index, pageSize: PAGE_SIZE, total: data.total, showSizeChanger: false, hideOnSinglePage: true, onChange: setPage }}
        />
      )}
    </AppDrawer>
  )
}

// The reason of a failure, for people.
function reasonOf(error: Error): string {
  return error instanceof CallError && error.msg !== '' ? error.msg : '网络异常，请检查网络'
}

function columnsOf(rows: readonly StatRow[]): TableColumnType<StatRow>[] {
  const columns: TableColumnType<StatRow>[] = [
    { key: 'title', title: '名称', width: 140, ellipsis: true, dataIndex: 'title' },
    { key: 'detail', title: '说明', ellipsis: true, dataIndex: 'detail' },
  ]
  if (rows.some((row) => row.at !== null)) columns.unshift({ key: 'at', title: '日期', width: 112, className: 'kit-number', dataIndex: 'at' })
  if (rows.some((row) => row.link !== null)) columns.push({ key: 'open', title: '操作', width: 96, render: (_, { link, title }) => link && <ListLink to={link} label={`查看${title}的学生`}>查看学生</ListLink> })
  return columns
}
