import { entry_states, registerEntryApi } from '@campus/people/contract'
import type { RegisterEntryRow } from '@campus/people/contract'
import { call, instantText, useSettled } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Empty, Input, Pagination, Select, Table, Tag } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { entry_words } from './register-words.ts'

const EntryDrawer = lazy(() => import('./entry-drawer.tsx').then(part => ({ default: part.EntryDrawer })))
const page_size = 20
const states = entry_states.map(value => ({ value, label: entry_words[value] }))

/** What was sent in; a row opens with its fields and what is still missing. */
export function EntryList(): ReactNode {
  const [state, setState] = useState<RegisterEntryRow['state']>('waiting')
  const [text, setText] = useState('')
  const [page_index, goTo] = useState(1)
  const [opened, open] = useState<RegisterEntryRow | null>(null)
  const keyword = useSettled(text)
  const asked = { state, page_index, page_size, ...(keyword === '' ? {} : { keyword }) }
  const query = useQuery({ queryKey: [registerEntryApi.page.call, asked], queryFn: ({ signal }) => call(registerEntryApi.page, asked, { signal, quiet: true }), placeholderData: before => before })
  const { data } = query
  if (!data) return <PartState query={query} rows={8} />
  const empty = keyword !== '' ? '没有符合条件的登记，请调整条件' : state === 'waiting' ? '没有待审核的登记' : '没有登记'
  return (
    <section className="register-entries" aria-label="登记列表">
      <div className="register-filter">
        <Select aria-label="状态" value={state} options={states} onChange={next => { setState(next); goTo(1) }} />
        <Input aria-label="姓名或登记编号" placeholder="姓名或登记编号" allowClear value={text} onChange={event => { setText(event.target.value); goTo(1) }} />
      </div>
      <Table<RegisterEntryRow> rowKey="id" size="middle" pagination={false} dataSource={data.list} locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={empty} /> }}>
        <Table.Column<RegisterEntryRow> title="姓名" render={(_value, row) => <button type="button" className="register-name" onClick={() => open(row)}>{row.user_name}</button>} />
        <Table.Column<RegisterEntryRow> title="登记编号" dataIndex="apply_no" />
        <Table.Column<RegisterEntryRow> title="类型" render={(_value, row) => (row.is_new ? '新登记' : '信息变更')} />
        <Table.Column<RegisterEntryRow> title="手机号" dataIndex="mobile" />
        <Table.Column<RegisterEntryRow> title="提交时间" render={(_value, row) => instantText(row.created_at)} />
        <Table.Column<RegisterEntryRow> title="状态" render={(_value, row) => <EntryState row={row} />} />
      </Table>
      {data.total > page_size && <Pagination align="end" current={page_index} pageSize={page_size} total={data.total} showSizeChanger={false} onChange={goTo} />}
      <Suspense>{opened && <EntryDrawer key={opened.id} row={opened} onClose={() => open(null)} />}</Suspense>
    </section>
  )
}

function EntryState({ row: { state, errors, reason } }: { row: RegisterEntryRow }): ReactNode {
  if (state === 'waiting') return errors.length > 0 ? <Tag color="orange">{errors.length} 项待补充</Tag> : <Tag color="green">可通过</Tag>
  return <Tag title={reason ?? undefined}>{entry_words[state]}</Tag>
}
