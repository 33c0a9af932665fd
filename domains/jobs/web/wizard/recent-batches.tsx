import { importApi } from '@campus/jobs/contract'
import type { ImportBatch } from '@campus/jobs/contract'
import { call, instantText, Loading, usePage } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Button, Table, Tag } from 'antd'
import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import { batchStates } from './batch-stage.ts'
import { undoOf } from './undo-choice.ts'

/** The latest batches of a template, to come back to one that is not finished; those of others, where they are shown, name who uploaded them. */
export function RecentBatches({ template, onBatch }: { template: string; onBatch: (batch_no: string) => void }): ReactNode {
  const { active } = usePage()
  const { data, isError, isPending, refetch } = useQuery({
    queryKey: ['import-batches', template],
    queryFn: ({ signal }) => call(importApi.batches, { template, page_size: 20 }, { signal, quiet: true }),
    enabled: active,
  })
  if (isError && !data) {
    return (
      <div className="kit-failed" role="alert">
        <p>最近的导入加载失败</p>
        <Button size="small" onClick={() => void refetch()}>重试</Button>
      </div>
    )
  }
  if (isPending) {
    return (
      <section className="import-recent">
        <h3>最近的导入</h3>
        <Loading rows={3} />
      </section>
    )
  }
  if (!data || data.total === 0) return null
  return (
    <section className="import-recent">
      <h3>{`最近的导入（${data.total}）`}</h3>
      <Table<ImportBatch> size="small" rowKey="batch_no" columns={[...columns, openColumn(onBatch)]} dataSource={data.list} pagination={false} />
    </section>
  )
}

const columns: TableColumnType<ImportBatch>[] = [
  { key: 'created_at', title: '上传时间', width: 150, className: 'kit-number', render: (_, batch) => instantText(batch.created_at) },
  { key: 'file_name', title: '文件', ellipsis: true, render: (_, { file_name, is_mine, created_by_name }) => (is_mine ? file_name : `${file_name}（${created_by_name}）`) },
  {
    key: 'state',
    title: '状态',
    width: 96,
    render: (_, { state }) => <Tag color={batchStates[state].color}>{batchStates[state].label}</Tag>,
  },
  count('rows_total', '总行数'),
  count('rows_new', '新增'),
  count('rows_change', '变更'),
  count('rows_error', '错误'),
  count('rows_applied', '已写入'),
  { key: 'undo_until', title: '可撤销至', width: 150, className: 'kit-number', render: (_, batch) => (undoOf(batch) && batch.undo_until ? instantText(batch.undo_until) : '—') },
]

function count(name: 'rows_total' | 'rows_new' | 'rows_change' | 'rows_error' | 'rows_applied', title: string): TableColumnType<ImportBatch> {
  return { key: name, title, width: 76, align: 'right', className: 'kit-number', render: (_, batch) => batch[name].toLocaleString('zh-CN') }
}

function openColumn(onBatch: (batch_no: string) => void): TableColumnType<ImportBatch> {
  return {
    key: 'open',
    title: '操作',
    width: 104,
    render: (_, batch) => (
      <Button type="link" size="small" onClick={() => onBatch(batch.batch_no)}>
        {batch.state === 'parsed' && batch.is_mine ? '继续核对' : '查看'}
      </Button>
    ),
  }
}
