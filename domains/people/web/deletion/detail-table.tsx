import { userDeleteApi } from '@campus/people/contract'
import type { DeleteBatchRow, DeleteDetailRow } from '@campus/people/contract'
import { call, Can, sentenceOf } from '@kit/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Table, Tag } from 'antd'
import type { TableColumnsType } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { kind_names, state_colors, state_names } from './delete-words.ts'
import { OpenItems } from './open-items.tsx'
import { StoreDots } from './store-dots.tsx'

const page_size = 50
const refresh_ms = 5000
const proved: ReadonlySet<DeleteDetailRow['state']> = new Set(['waiting_proof', 'deleted'])

type Props = { batch: DeleteBatchRow; openProof: (row: DeleteDetailRow) => void; cancelOne: ((row: DeleteDetailRow) => void) | null }

/** The people of a batch: what is unsettled, how far each store is. */
export function DetailTable({ batch, openProof, cancelOne }: Props): ReactNode {
  const { batch_no } = batch
  const [has_error, onlyErrors] = useState(false)
  const [page_index, turn] = useState(1)
  const query = useQuery({
    queryKey: [userDeleteApi.details.call, batch_no, has_error, page_index],
    queryFn: ({ signal }) => call(userDeleteApi.details, { batch_no, has_error, page_index, page_size }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
    refetchInterval: refresh_ms,
  })
  if (query.error && !query.data) return <LoadFailed text={sentenceOf(query.error)} again={() => void query.refetch()} />
  return (
    <div data-ready={query.data ? 'details' : undefined}>
      <Checkbox checked={has_error} onChange={event => { onlyErrors(event.target.checked); turn(1) }}>只看异常（有未结事项、出错或存储超时）</Checkbox>
      <Table
        rowKey="user_id"
        size="small"
        columns={columnsOf(openProof, cancelOne)}
        dataSource={query.data?.list}
        loading={query.isPending}
        locale={{ emptyText: has_error ? '没有异常' : '该批次没有人员' }}
        pagination={{ current: page_index, pageSize: page_size, total: query.data?.total ?? 0, hideOnSinglePage: true, showSizeChanger: false, onChange: turn }}
      />
    </div>
  )
}

function columnsOf(openProof: Props['openProof'], cancelOne: Props['cancelOne']): TableColumnsType<DeleteDetailRow> {
  return [
    { title: '姓名', width: 90, dataIndex: 'user_name' },
    { title: '类别', width: 72, render: (_, row) => kind_names[row.person_kind] ?? '' },
    { title: '编号', width: 120, dataIndex: 'user_no' },
    { title: '部门', width: 110, render: (_, row) => row.dept_name ?? <span className="kit-none">—</span> },
    { title: '状态', width: 96, render: (_, row) => <Tag color={state_colors[row.state]}>{state_names[row.state]}</Tag> },
    { title: '未结事项', width: 180, render: (_, row) => (row.error === null ? <Items row={row} /> : <span className="delete-error">{row.error}</span>) },
    { title: '各存储进度', width: 150, render: (_, row) => <StoreDots stores={row.stores} /> },
    { title: '操作', width: 132, render: (_, row) => <Actions row={row} openProof={openProof} cancelOne={cancelOne} /> },
  ]
}

function Items({ row }: { row: DeleteDetailRow }): ReactNode {
  return row.blocks.length === 0 ? <span className="kit-none">—</span> : <OpenItems items={row.blocks} />
}

function Actions({ row, openProof, cancelOne }: { row: DeleteDetailRow } & Pick<Props, 'openProof' | 'cancelOne'>): ReactNode {
  const may_cancel = row.state === 'holding' || row.state === 'blocked' || row.state === 'checking'
  return (
    <>
      {proved.has(row.state) && <Button type="link" size="small" aria-label={`删除证明 ${row.user_no}`} onClick={() => openProof(row)}>删除证明</Button>}
      {may_cancel && cancelOne && <Can code={userDeleteApi.cancel}><Button type="link" size="small" aria-label={`取消 ${row.user_name}`} onClick={() => cancelOne(row)}>取消</Button></Can>}
    </>
  )
}
