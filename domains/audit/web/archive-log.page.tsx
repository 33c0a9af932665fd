import { archiveLogApi } from '@campus/audit/contract'
import type { ArchiveLogRow } from '@campus/audit/contract'
import { call, downloadFile, Filters, Table, usePage } from '@kit/web'
import { ExportButton } from '@kit/web/export'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useMemo } from 'react'
import type { ReactNode } from 'react'
import { withFieldFilter } from './archive.fields.tsx'
import { IntegrityPill } from './integrity-pill.tsx'
import { LogHead } from './log-head.tsx'
import { LogPage } from './log-page.tsx'
import { daysOf } from './log-search.ts'
import { NewRows } from './new-rows.tsx'
import { secondText } from './second-text.ts'
import { useLogList } from './use-log-list.ts'

const Drawer = lazy(() => import('./archive-drawer.tsx').then(part => ({ default: part.ArchiveDrawer })))
const quiet = { quiet: true }

/** 档案操作日志: what happened to the archive of every person, newest first. */
export default function ArchiveLog(): ReactNode {
  const { active, search, setSearch } = usePage()
  const days = daysOf(search)
  const changed = useQuery({ queryKey: [archiveLogApi.fields.call, days], queryFn: ({ signal }) => call(archiveLogApi.fields, days, { signal, ...quiet }), enabled: active, staleTime: 60_000 })
  const fields = useMemo(() => withFieldFilter(changed.data?.list ?? []), [changed.data])
  const list = useLogList(archiveLogApi.page.call, fields, (input, signal) => call(archiveLogApi.page, { ...input, page_size: input.page_size }, { signal, ...quiet }))
  const { log_id, ...listed } = search
  const open = (id: string) => setSearch({ ...search, log_id: id })
  const head = (
    <LogHead
      name={archiveLogApi.days.call} days={list.days} setDays={list.setDays} side={<IntegrityPill days={list.days} />}
      read={(span, signal) => call(archiveLogApi.days, span, { signal, ...quiet })}
    />
  )
  const actions = (
    <>
      {list.is_first_page && <NewRows name={archiveLogApi.newer.call} input={list.input} since={list.newest} show={list.toNewest} read={(input, signal) => call(archiveLogApi.newer, input, { signal, ...quiet })} />}
      <ExportButton code={archiveLogApi.export} title="导出日志" reason_above={0} total={list.total} is_bounded={list.is_bounded} run={reason => downloadFile(archiveLogApi.export, { ...list.input, reason }, quiet)} />
    </>
  )
  return (
    <LogPage of={list} head={head} filters={<Filters of={list} show={['person_kind', 'person', 'dept', 'op_type', 'field', 'source', 'operator', 'batch_no']} />} actions={actions}>
      <Table
        of={list}
        show={['happened_at', 'person_kind', 'person', 'op_type', 'changes', 'source', 'batch_no', 'operator']}
        row={detailButton(open)}
        row_width={80}
        empty="这段时间没有档案操作，可以换一段时间"
      />
      <Suspense>{log_id !== undefined && <Drawer log_id={log_id} open={open} onClose={() => setSearch(listed)} />}</Suspense>
    </LogPage>
  )
}

function detailButton(open: (log_id: string) => void): (row: ArchiveLogRow) => ReactNode {
  return ({ log_id, happened_at }) => <Button type="link" aria-label={`详情 ${secondText(happened_at)}`} onClick={() => open(log_id)}>详情</Button>
}
