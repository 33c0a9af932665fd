import { mergeApi } from '@campus/people/contract'
import type { MergeCaseRow } from '@campus/people/contract'
import { call, confirmDanger, instantText, toast, useSettled } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Button, Empty, Input, Pagination, Select, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { kind_words, pairOf, signal_words } from './merge-words.ts'
import { useRefreshMerges } from './use-merge.ts'

const page_size = 20
const kinds = [{ value: '', label: '全部' }, ...Object.entries(kind_words).map(([value, label]) => ({ value, label }))]

type Kind = MergeCaseRow['kind']
type Props = { state: 'open' | 'dismissed'; chosen: readonly string[]; open: (pair: { keep: string; drop: string }) => void; closed: () => void }

/** The pairs, the likeliest first. */
export function CaseList({ state, chosen, open, closed }: Props): ReactNode {
  const [text, setText] = useState('')
  const [kind, setKind] = useState('')
  const [page_index, goTo] = useState(1)
  const keyword = useSettled(text)
  const asked = { state, page_index, page_size, ...(keyword === '' ? {} : { keyword }), ...(isKind(kind) ? { kind } : {}) }
  const query = useQuery({ queryKey: [mergeApi.cases.call, asked], queryFn: ({ signal }) => call(mergeApi.cases, asked, { signal, quiet: true }), placeholderData: before => before })
  const { data } = query
  const is_filtered = keyword !== '' || kind !== ''
  const empty = is_filtered ? '没有符合条件的人员，请调整条件' : state === 'open' ? '没有疑似重复的档案。每晚和每次导入后会自动查找' : '还没有排除过'
  return (
    <section className="merge-cases" aria-label="疑似重复" data-ready={data ? 'list' : query.error ? 'failed' : undefined}>
      <div className="merge-filter">
        <Input aria-label="按姓名查找" placeholder="姓名" allowClear value={text} onChange={event => { setText(event.target.value); goTo(1) }} />
        <Select aria-label="人员类型" value={kind} options={kinds} onChange={next => { setKind(next); goTo(1) }} />
      </div>
      {!data && <PartState query={query} rows={8} />}
      {data?.list.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={empty} />}
      <ul className="merge-list">
        {data?.list.map(row => <CaseCard key={row.case_id} row={row} is_chosen={chosen.includes(row.a.user_id) && chosen.includes(row.b.user_id)} open={open} closed={closed} />)}
      </ul>
      {data && data.total > page_size && <Pagination size="small" align="end" current={page_index} pageSize={page_size} total={data.total} showSizeChanger={false} onChange={goTo} />}
    </section>
  )
}

function isKind(text: string): text is Kind {
  return text in kind_words
}

function CaseCard({ row, is_chosen, open, closed }: { row: MergeCaseRow; is_chosen: boolean } & Pick<Props, 'open' | 'closed'>): ReactNode {
  const { a, b, score, signals, kind, state } = row
  const refresh = useRefreshMerges()
  const dismiss = async () => {
    if (!(await confirmDanger({ title: '确定不是同一人吗？', touches: `${a.user_name}、${b.user_name}，没有新的线索就不再提示`, ok: '不是同一人' }))) return
    await call(mergeApi.dismiss, { id: row.case_id })
    toast.success('已排除')
    refresh()
    if (is_chosen) closed()
  }
  return (
    <li className="merge-case" data-chosen={is_chosen}>
      <button type="button" className="merge-open" aria-current={is_chosen} onClick={() => open(pairOf(row))}>
        <span className="merge-score" title="相似程度">{score}</span>
        <span className="merge-names"><b>{a.user_name}</b> {a.label}<br /><b>{b.user_name}</b> {b.label}</span>
        <span className="merge-signs">{kind_words[kind]}{signals.map(signal => <Tag key={signal}>{signal_words[signal]}</Tag>)}</span>
        {state === 'dismissed' && <small>{row.decided_by ?? '系统'} 于 {instantText(row.decided_at ?? row.opened_at)} 排除</small>}
      </button>
      {state === 'open' && <Button type="link" size="small" aria-label={`不是同一人：${a.user_name}、${b.user_name}`} onClick={() => void dismiss()}>不是同一人</Button>}
    </li>
  )
}
