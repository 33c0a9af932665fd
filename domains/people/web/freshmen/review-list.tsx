import { most_freshmen } from '@campus/people/contract'
import { PartState } from '@kit/web/part'
import { Button, Checkbox, Empty, Input, Pagination, Select } from 'antd'
import type { ReactNode } from 'react'
import { state_names, state_options } from './freshmen-words.ts'
import type { Review } from './use-review.ts'

const page_size = 100

/** The applications of one state; several are marked and passed at once. */
export function ReviewList({ review, refuse }: { review: Review; refuse: () => void }): ReactNode {
  const { query, marked, mark, chosen, state } = review
  const { data } = query
  const rows = data?.list ?? []
  const is_all = rows.length > 0 && marked.length === rows.length
  const may_mark = state === '1' && rows.length > 0
  return (
    <aside className="fresh-list" aria-label="报名列表" data-ready={data ? 'applications' : undefined}>
      <div className="fresh-filter">
        <Select aria-label="状态" value={state} options={state_options} onChange={review.setState} />
        <Input aria-label="姓名、报名编号或手机号" placeholder="姓名/报名编号/手机号/证件号" allowClear value={review.text} onChange={event => review.setText(event.target.value)} />
      </div>
      {may_mark && (
        <div className="fresh-marked">
          <Checkbox checked={is_all} indeterminate={marked.length > 0 && !is_all} onChange={event => mark(event.target.checked ? rows.slice(0, most_freshmen).map(row => row.id) : [])}>全选</Checkbox>
          <Button size="small" type="primary" disabled={marked.length === 0} loading={review.busy} onClick={() => void review.pass(marked)}>通过（{marked.length}）</Button>
          <Button size="small" danger disabled={marked.length === 0 || review.busy} onClick={refuse}>驳回</Button>
        </div>
      )}
      {!data && <PartState query={query} rows={8} />}
      {data && rows.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={review.text === '' ? `没有${state_names[state]}的报名` : '没有符合条件的报名，请调整条件'} />}
      <ul>
        {rows.map(row => (
          <li key={row.id}>
            {may_mark && <Checkbox aria-label={`选择${row.user_name}`} checked={marked.includes(row.id)} onChange={event => mark(event.target.checked ? [...marked, row.id] : marked.filter(id => id !== row.id))} />}
            <button type="button" aria-current={row.id === chosen?.id} onClick={() => review.choose(row.id)}>
              <b>{row.user_name}</b><span>{row.apply_no}</span>
              <small>{row.review_level > 0 && state === '1' ? '初审已通过，等待复审' : `监护人 ${row.guardian}`}</small>
            </button>
          </li>
        ))}
      </ul>
      {(data?.total ?? 0) > page_size && <Pagination size="small" simple current={review.page_index} pageSize={page_size} total={data?.total ?? 0} onChange={review.goTo} />}
    </aside>
  )
}
