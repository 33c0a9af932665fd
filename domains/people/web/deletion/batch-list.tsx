import { delete_batch_states, deleteApi, userDeleteApi } from '@campus/people/contract'
import type { DeleteBatchRow } from '@campus/people/contract'
import { call, ImportButton, serverNow } from '@kit/web'
import { PartState } from '@kit/web/part'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Empty, Pagination, Select, Tag } from 'antd'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { batch_colors, batch_names, holdText, source_names } from './delete-words.ts'

const page_size = 20
const refresh_ms = 5000
const states = delete_batch_states.map(value => ({ value, label: batch_names[value] }))

type Props = { chosen: string | undefined; choose: (row: DeleteBatchRow) => void; onLatest: (batch_no: string | undefined) => void }

/** The batches, the latest first; one is chosen. `onLatest` hears which one stands on top, which is looked at while none is chosen. */
export function BatchList({ chosen, choose, onLatest }: Props): ReactNode {
  const [state, setState] = useState<DeleteBatchRow['state']>()
  const [operator, setOperator] = useState<string>()
  const [page_index, turn] = useState(1)
  const operators = useQuery({ queryKey: [deleteApi.operators.call], queryFn: ({ signal }) => call(deleteApi.operators, {}, { signal, quiet: true }) })
  const query = useBatches({ state, operator, page_index })
  const { data } = query
  const latest = data?.list[0]?.batch_no
  useEffect(() => onLatest(latest), [latest, onLatest])
  return (
    <aside className="delete-batches" aria-label="删除批次" data-ready={data ? 'batches' : undefined}>
      <div className="delete-batch-filters">
        <Select aria-label="批次状态" allowClear placeholder="全部状态" options={states} value={state} onChange={(next?: DeleteBatchRow['state']) => { setState(next); turn(1) }} />
        <Select aria-label="操作人" allowClear showSearch={{ optionFilterProp: 'label' }} placeholder="全部操作人" options={operators.data?.list.map(one => ({ value: one.user_id, label: one.user_name }))} value={operator} onChange={(next?: string) => { setOperator(next); turn(1) }} />
        <ImportButton code="people.delete.import" template="delete_people" title="人员删除导入" label="导入" onApplied={() => void query.refetch()} />
      </div>
      {!data && <PartState query={query} />}
      {data?.list.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={state || operator ? '没有符合条件的批次' : '还没有删除批次。在离校人员档案中选择人员，点“申请删除”'} />}
      <ul>
        {data?.list.map(row => (
          <li key={row.batch_no}>
            <button type="button" aria-current={row.batch_no === chosen} onClick={() => choose(row)}>
              <span><b>{row.batch_no}</b><Tag color={batch_colors[row.state]}>{batch_names[row.state]}</Tag></span>
              <span>{source_names[row.source]} · {row.people} 人{row.created_by === null ? '' : ` · ${row.created_by}`}</span>
              <small>{holdText(row, serverNow()) ?? progressText(row)}</small>
            </button>
          </li>
        ))}
      </ul>
      {(data?.total ?? 0) > page_size && <Pagination size="small" simple current={page_index} pageSize={page_size} total={data?.total ?? 0} onChange={turn} />}
    </aside>
  )
}

/** One page of the batches, read again while something moves. */
function useBatches({ state, operator, page_index }: { state: DeleteBatchRow['state'] | undefined; operator: string | undefined; page_index: number }) {
  return useQuery({
    queryKey: [userDeleteApi.batches.call, state, operator, page_index],
    queryFn: ({ signal }) => call(userDeleteApi.batches, { state, operator, page_index, page_size }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
    refetchInterval: refresh_ms,
  })
}

function progressText({ counts, people, waits_for }: DeleteBatchRow): string {
  if (waits_for === 'second') return '超过 50 人，等待另一位管理员复核'
  if (waits_for === 'confirm') return '等待确认，不会自动执行'
  const parts = [[counts.deleted, '已删除'], [counts.waiting_proof, '等待确认'], [counts.blocked, '有未结事项'], [counts.error, '异常'], [counts.cancelled, '已取消']] as const
  return parts.flatMap(([n, name]) => ((n ?? 0) > 0 ? [`${n}/${people} ${name}`] : [])).join('，')
}
