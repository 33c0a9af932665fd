import { systemLogApi } from '@campus/audit/contract'
import type { OperationRow } from '@campus/audit/contract'
import { call, downloadFile, Filters, Table, usePage } from '@kit/web'
import { ExportButton } from '@kit/web/export'
import { Button, Checkbox } from 'antd'
import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import { IntegrityPill } from './integrity-pill.tsx'
import { LogHead } from './log-head.tsx'
import { LogPage } from './log-page.tsx'
import { NewRows } from './new-rows.tsx'
import { operationFields } from './operation.fields.tsx'
import { secondText } from './second-text.ts'
import { useLogList } from './use-log-list.ts'

const Drawer = lazy(() => import('./operation-drawer.tsx').then(part => ({ default: part.OperationDrawer })))
const quiet = { quiet: true }

/** 系统操作日志: every write and every login attempt, newest first. */
export default function SystemLog(): ReactNode {
  const { search, setSearch } = usePage()
  const list = useLogList(systemLogApi.page.call, operationFields, (input, signal) => call(systemLogApi.page, { ...input, page_size: input.page_size }, { signal, ...quiet }))
  const { log_id, ...listed } = search
  const open = (id: string) => setSearch({ ...search, log_id: id })
  const routine = list.values.routine === '1' ? { routine: '1' as const } : {}
  const head = (
    <LogHead
      name={systemLogApi.days.call} days={list.days} setDays={list.setDays} side={<IntegrityPill days={list.days} />} asked={routine}
      read={(days, signal) => call(systemLogApi.days, { ...days, ...routine }, { signal, ...quiet })}
    />
  )
  const actions = (
    <>
      <Checkbox checked={list.values.routine === '1'} onChange={({ target }) => list.filterBy({ routine: target.checked ? '1' : undefined })}>显示页面自动产生的记录</Checkbox>
      {list.is_first_page && <NewRows name={systemLogApi.newer.call} input={list.input} since={list.newest} show={list.toNewest} read={(input, signal) => call(systemLogApi.newer, input, { signal, ...quiet })} />}
      <ExportButton code={systemLogApi.export} title="导出日志" reason_above={0} total={list.total} is_bounded={list.is_bounded} run={reason => downloadFile(systemLogApi.export, { ...list.input, reason }, quiet)} />
    </>
  )
  return (
    <LogPage of={list} head={head} filters={<Filters of={list} show={['person', 'op_type', 'module', 'ok', 'target', 'batch_no', 'ip']} />} actions={actions}>
      <Table
        of={list}
        show={['happened_at', 'person', 'op_type', 'module', 'target', 'ok', 'ip', 'duration_ms', batchColumn(list.filterBy)]}
        more={['reason', 'device_label']}
        row={detailButton(open)}
        row_width={80}
        empty="这段时间没有操作日志，可以换一段时间"
      />
      <Suspense>{log_id !== undefined && <Drawer log_id={log_id} open={open} onClose={() => setSearch(listed)} />}</Suspense>
    </LogPage>
  )
}

/** The batch of a line leads to all lines of the batch. */
function batchColumn(filterBy: (patch: Record<string, string>) => void) {
  return {
    ...operationFields.of.batch_no,
    prop: 'batch_no',
    cell: ({ batch_no }: OperationRow) => (batch_no === null ? <span className="kit-none">—</span> : <Button className="audit-batch" type="link" size="small" aria-label={`批次 ${batch_no} 的全部操作`} onClick={() => filterBy({ batch: batch_no })}>{batch_no}</Button>),
  }
}

function detailButton(open: (log_id: string) => void): (row: OperationRow) => ReactNode {
  return ({ log_id, happened_at }) => <Button type="link" aria-label={`详情 ${secondText(happened_at)}`} onClick={() => open(log_id)}>详情</Button>
}
