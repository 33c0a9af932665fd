import { delegateApi } from '@campus/people/contract'
import type { DelegationRow } from '@campus/people/contract'
import { AppDrawer, call, confirmDanger, sentenceOf, useSaving } from '@kit/web'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Empty, Pagination, Skeleton, Table, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { DelegateDialog } from './delegate-dialog.tsx'
import './delegate.css'

const page_size = 20
const state_words = { ahead: ['未开始', 'blue'], live: ['生效中', 'gold'], over: ['已到期', 'default'], revoked: ['已撤销', 'default'] } as const
type Asked = { row: DelegationRow | null }

/** 委托管理: who acts for which department until when; new ones, earlier ends, revocations. */
export function DelegateDrawer({ which, onClose }: { which: 'student' | 'staff'; onClose: () => void }): ReactNode {
  const [page_index, setPage] = useState(1)
  const [asked, setAsked] = useState<Asked>()
  const client = useQueryClient()
  const { busy, refused, run } = useSaving()
  const query = useQuery({
    queryKey: [delegateApi.list.call, page_index],
    queryFn: ({ signal }) => call(delegateApi.list, { page_index, page_size }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
  })
  const { data } = query
  const changed = () => client.invalidateQueries({ queryKey: [delegateApi.list.call] })
  const revoke = async ({ id, row_version, dept_name, to_user_name }: DelegationRow) => {
    if (!(await confirmDanger({ title: `撤销委托后，${to_user_name}立即不能再查看和办理“${dept_name}”，确定撤销吗？`, ok: '撤销委托' }))) return
    await run(() => call(delegateApi.update, { id, row_version, revoke: true }, { quiet: true }), '委托已撤销')
    await changed()
  }
  return (
    <AppDrawer size={960} title="委托管理" onClose={onClose}>
      <div className="delegate-head">
        <span>代理人在委托期间可以查看和办理该部门及下级的人员，但不会多出任何功能权限；到期自动结束，所做操作记为代理。</span>
        <Button type="primary" onClick={() => setAsked({ row: null })}>新增委托</Button>
      </div>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {query.error && !data && <LoadFailed text={sentenceOf(query.error)} again={() => void query.refetch()} />}
      {!query.error && !data && <Skeleton active />}
      {data?.total === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有委托。教职工外出、请假时，可把其部门委托给同事一段时间" />}
      {data && data.total > 0 && <Rows rows={data.list} busy={busy} shorten={row => setAsked({ row })} revoke={row => void revoke(row)} />}
      {data && data.total > page_size && <Pagination size="small" current={page_index} pageSize={page_size} total={data.total} showSizeChanger={false} onChange={setPage} />}
      {asked && <DelegateDialog which={which} row={asked.row} onClose={() => setAsked(undefined)} onDone={() => void changed()} />}
    </AppDrawer>
  )
}

type RowsProps = { rows: readonly DelegationRow[]; busy: boolean; shorten: (row: DelegationRow) => void; revoke: (row: DelegationRow) => void }

function Rows({ rows, busy, shorten, revoke }: RowsProps): ReactNode {
  const acts = (_: unknown, row: DelegationRow) => (row.state === 'live' || row.state === 'ahead') && (
    <>
      <Button type="link" size="small" disabled={busy} aria-label={`提前结束 ${row.dept_name} ${row.to_user_name}`} onClick={() => shorten(row)}>提前结束</Button>
      <Button type="link" size="small" danger disabled={busy} aria-label={`撤销 ${row.dept_name} ${row.to_user_name}`} onClick={() => revoke(row)}>撤销</Button>
    </>
  )
  const columns = [
    { title: '部门', dataIndex: 'dept_name', width: 144, ellipsis: true },
    { title: '委托人', dataIndex: 'from_user_name', width: 96, ellipsis: true },
    { title: '代理人', dataIndex: 'to_user_name', width: 96, ellipsis: true },
    { title: '期间', key: 'span', width: 208, render: (_: unknown, row: DelegationRow) => `${row.valid_from} 至 ${row.valid_to}` },
    { title: '原因', dataIndex: 'reason', ellipsis: true, render: (reason: string | null) => reason ?? '—' },
    { title: '状态', dataIndex: 'state', width: 80, render: (state: DelegationRow['state']) => <Tag color={state_words[state][1]}>{state_words[state][0]}</Tag> },
    { title: '操作', key: 'act', width: 144, render: acts },
  ]
  return <Table<DelegationRow> size="small" rowKey="id" columns={columns} dataSource={[...rows]} pagination={false} />
}
