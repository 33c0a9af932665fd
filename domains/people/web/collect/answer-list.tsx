import { collectReviewApi } from '@campus/people/contract'
import type { CollectReviewRow } from '@campus/people/contract'
import { AppDrawer, call, instantText, leaving, toast, useSaving } from '@kit/web'
import { PartState } from '@kit/web/part'
import { Alert, Button, Checkbox, Empty, Input, Pagination, Table, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useCollectChanged, useWaiting } from './use-collect.ts'
import './collect.css'

const page_size = 20
const keyOf = ({ task_id, user_id }: CollectReviewRow) => `${task_id}-${user_id}`

/** Answers of collection tasks that wait; a row opens with what it would change. */
export function AnswerList(): ReactNode {
  const [page_index, goTo] = useState(1)
  const [opened, open] = useState<CollectReviewRow | null>(null)
  const query = useWaiting(page_index, page_size)
  const { data } = query
  if (!data) return <PartState query={query} rows={4} />
  return (
    <section className="collect-answers" aria-label="采集答复列表">
      <h2>采集答复{data.total > 0 ? `（${data.total}）` : ''}</h2>
      <Table<CollectReviewRow> rowKey={keyOf} size="middle" pagination={false} dataSource={data.list} locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有待审核的采集答复" /> }}>
        <Table.Column<CollectReviewRow> title="姓名" render={(_value, row) => <button type="button" className="register-name" onClick={() => open(row)}>{row.user_name}</button>} />
        <Table.Column<CollectReviewRow> title="班级" dataIndex="dept_name" />
        <Table.Column<CollectReviewRow> title="采集任务" dataIndex="title" />
        <Table.Column<CollectReviewRow> title="变更" render={(_value, row) => row.diff.map(({ label }) => label).join('、')} />
        <Table.Column<CollectReviewRow> title="填写人" render={(_value, row) => row.respondent_name ?? '—'} />
        <Table.Column<CollectReviewRow> title="提交时间" render={(_value, row) => instantText(row.at)} />
        <Table.Column<CollectReviewRow> title="核对" render={(_value, row) => (row.errors.length > 0 ? <Tag color="orange">有问题</Tag> : <Tag color="green">可采用</Tag>)} />
      </Table>
      {data.total > page_size && <Pagination align="end" current={page_index} pageSize={page_size} total={data.total} showSizeChanger={false} onChange={goTo} />}
      {opened && <AnswerDrawer key={keyOf(opened)} row={opened} onClose={() => open(null)} />}
    </section>
  )
}

function AnswerDrawer({ row, onClose }: { row: CollectReviewRow; onClose: () => void }): ReactNode {
  const wrong = new Set(row.errors.map(({ field }) => field))
  const [taken, take] = useState<readonly string[]>(row.diff.map(({ field }) => field).filter(field => !wrong.has(field)))
  const [reason, setReason] = useState('')
  const { busy, refused, run } = useSaving()
  const changed = useCollectChanged()
  const decide = async (field_codes: readonly string[], done: string) => {
    const line = { user_id: row.user_id, field_codes: [...field_codes] }
    if (!(await run(() => call(collectReviewApi.decide, { task_id: row.task_id, lines: [line], reason }, { quiet: true })))) return
    toast.success(done)
    changed()
    onClose()
  }
  return (
    <AppDrawer size={640} title={`${row.user_name} · ${row.title}`} onClose={leaving(reason.trim() !== '', onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {row.errors.map(({ field, msg }) => <Alert key={field} type="warning" showIcon title={`${row.diff.find(one => one.field === field)?.label ?? ''} ${msg}`} />)}
      {row.warnings.map(({ field, msg }) => <Alert key={field} type="info" showIcon title={msg} />)}
      <ul className="register-changes" aria-label="变更内容">
        {row.diff.map(({ field, label, before, after }) => (
          <li key={field}>
            <Checkbox checked={taken.includes(field)} onChange={event => take(event.target.checked ? [...taken, field] : taken.filter(one => one !== field))}>{label}</Checkbox>
            <del>{before ?? '空'}</del><ins>{after ?? '空'}</ins>
          </li>
        ))}
      </ul>
      <div className="register-buttons">
        <Button type="primary" loading={busy} disabled={taken.length === 0} onClick={() => void decide(taken, '已采用')}>采用所选（{taken.length}）</Button>
        <Input aria-label="退回原因" placeholder="退回原因，家长可以看到" maxLength={200} value={reason} onChange={event => setReason(event.target.value)} />
        <Button danger disabled={reason.trim() === '' || busy} onClick={() => void decide([], '已退回')}>退回</Button>
      </div>
    </AppDrawer>
  )
}
