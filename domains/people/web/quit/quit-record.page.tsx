import { deleteApi, quitApi, quitList } from '@campus/people/contract'
import type { QuitRow } from '@campus/people/contract'
import { Filters, ListPage, Table, useCan, useResourceList } from '@kit/web'
import { ListExport } from '@kit/web/export'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { QuitActions } from './quit-actions.tsx'
import type { Opened } from './quit-actions.tsx'
import { quitFields } from './quit.fields.tsx'
import { YearsChart } from './years-chart.tsx'
import './quit.css'

const AsOfDrawer = lazy(() => import('../archive/as-of-drawer.tsx').then(part => ({ default: part.AsOfDrawer })))
const DeleteDialog = lazy(() => import('../deletion/delete-dialog.tsx').then(part => ({ default: part.DeleteDialog })))
const ReturnDialog = lazy(() => import('./return-dialog.tsx').then(part => ({ default: part.ReturnDialog })))
const PaperDrawer = lazy(() => import('./paper-drawer.tsx').then(part => ({ default: part.PaperDrawer })))

/** 离校人员档案: who left and has not come back. */
export default function QuitRecord(): ReactNode {
  const list = useResourceList(quitApi.page, quitFields)
  const [opened, open] = useState<Opened>(null)
  const may_delete = useCan(deleteApi.run)
  const chosen = list.rows.filter(row => list.selected.includes(row.user_id) && mayAsk(row))
  const written = useWritten()
  const close = () => open(null)
  const actions = useMemo(() => actionsOf(open), [])
  return (
    <ListPage
      of={list}
      head={<YearsChart year={list.values.year} choose={year => list.filterBy({ year })} />}
      filters={<Filters of={list} show={['keyword', 'kind', 'group', 'year', 'from']} />}
      batch={may_delete && <Button danger disabled={chosen.length === 0} onClick={() => open({ view: 'delete', rows: chosen })}>申请删除（{chosen.length} 人）</Button>}
      actions={
        <>
          <ListExport of={list} fact={quitList} call={quitApi.export} />
        </>
      }
    >
      <Table
        of={list}
        show={['user_name', 'user_no', 'dept_name', 'close_kind', 'to_where', 'left_on', 'items', 'kept_until', 'cleared', 'deletion']}
        row={actions}
        row_width={124}
        selectable={may_delete}
        empty="没有离校人员：学生毕业、转出或教职工离职后会列在这里"
      />
      <Suspense>
        {opened?.view === 'file' && <AsOfDrawer user_id={opened.row.user_id} user_name={opened.row.user_name} on={opened.on} onClose={close} />}
        {opened?.view === 'paper' && <PaperDrawer user_id={opened.row.user_id} onClose={close} />}
        {opened?.view === 'return' && <ReturnDialog row={opened.row} onClose={close} onDone={written} />}
        {opened?.view === 'delete' && <DeleteDialog people={opened.rows} onClose={close} onDone={written} />}
      </Suspense>
    </ListPage>
  )
}

function actionsOf(open: (opened: Opened) => void): (row: QuitRow) => ReactNode {
  return row => <QuitActions row={row} open={open} />
}

/** Whoever is on a list already, or gone, is not put on another one. */
function mayAsk({ is_purged, deletion }: QuitRow): boolean {
  return !is_purged && deletion === null
}

function useWritten(): () => void {
  const client = useQueryClient()
  return () => {
    for (const key of [quitApi.page.call, quitApi.years.call]) void client.invalidateQueries({ queryKey: [key] })
  }
}
