import { mergeApi } from '@campus/people/contract'
import type { MergeLogRow } from '@campus/people/contract'
import { call, instantText, serverNow } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Button, Empty, Pagination, Tag } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { daysLeft, kind_words } from './merge-words.ts'
import { ReverseDialog } from './reverse-dialog.tsx'

const MergePaper = lazy(() => import('./merge-paper.tsx').then(part => ({ default: part.MergePaper })))

const page_size = 20
const heads = ['时间', '类型', '并入', '保留', '转移', '操作人', '状态', '操作']

/** Merges that were done, with what was left behind by those that were taken back. */
export function MergeLog(): ReactNode {
  const [page_index, goTo] = useState(1)
  const asked = { page_index, page_size }
  const query = useQuery({ queryKey: [mergeApi.log.call, asked], queryFn: ({ signal }) => call(mergeApi.log, asked, { signal, quiet: true }), placeholderData: before => before })
  const { data } = query
  return (
    <section className="merge-log" aria-label="合并记录" data-ready={data ? 'list' : query.error ? 'failed' : undefined}>
      {!data && <PartState query={query} rows={8} />}
      {data?.list.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有合并过档案" />}
      {data && data.list.length > 0 && (
        <MergeTable rows={data.list} />
      )}
      {data && data.total > page_size && <Pagination size="small" align="end" current={page_index} pageSize={page_size} total={data.total} showSizeChanger={false} onChange={goTo} />}
    </section>
  )
}

/** Merges, each with the way back and until when it is open, and its paper. */
export function MergeTable({ rows }: { rows: readonly MergeLogRow[] }): ReactNode {
  const [reversing, reverse] = useState<MergeLogRow | null>(null)
  const [printed, print] = useState<string | null>(null)
  return (
    <>
      <table className="merge-table">
        <thead><tr>{heads.map(head => <th key={head} scope="col">{head}</th>)}</tr></thead>
        <tbody>{rows.map(row => <LogRow key={row.merge_id} row={row} reverse={() => reverse(row)} print={() => print(row.merge_id)} />)}</tbody>
      </table>
      <Suspense>{printed !== null && <MergePaper merge_id={printed} onClose={() => print(null)} />}</Suspense>
      {reversing && <ReverseDialog row={reversing} onClose={() => reverse(null)} />}
    </>
  )
}

function LogRow({ row, reverse, print }: { row: MergeLogRow; reverse: () => void; print: () => void }): ReactNode {
  const { kind, keep, drop, moved, merged_by, merged_at, state, left } = row
  const days = daysLeft(row, serverNow())
  return (
    <tr>
      <td>{instantText(merged_at)}</td>
      <td>{kind_words[kind]}</td>
      <td>{drop.user_name}</td>
      <th scope="row">{keep.user_name}</th>
      <td className="merge-number">{moved}</td>
      <td>{merged_by ?? '系统'}</td>
      <td>
        <Tag color={state === 'active' ? 'green' : 'default'}>{state === 'active' ? '已合并' : '已撤销'}</Tag>
        {state === 'reversed' && <small>{row.reversed_by ?? '系统'} {row.reversed_at === null ? '' : instantText(row.reversed_at)}</small>}
        {left.map(line => <small key={`${line.title} ${line.why}`} className="merge-left">{line.title} {line.count} 项{line.why === 'born' ? '为合并后新增' : '合并后修改过'}，留在{keep.user_name}名下</small>)}
      </td>
      <td>
        {days > 0 ? <Button type="link" size="small" aria-label={`撤销合并 ${drop.user_name}`} title={`可撤销至 ${instantText(row.reversible_until)}`} onClick={reverse}>撤销合并（剩余{days}天）</Button> : state === 'active' && <small>已过30天</small>}
        <Button type="link" size="small" aria-label={`打印证明 ${drop.user_name}`} onClick={print}>证明</Button>
      </td>
    </tr>
  )
}
