import { ChangeExport, changeApi } from '@campus/people/contract'
import type { ChangeRow } from '@campus/people/contract'
import { downloadFile, Filters, ListPage, Table, useResourceList } from '@kit/web'
import { ExportButton } from '@kit/web/export'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { changeFields } from './change.fields.tsx'

/** More lines than this are exported for a reason. */
const reason_above = 1000

/** The list of commands. */
export function ChangeList({ open }: { open: (command_id: string) => void }): ReactNode {
  const list = useResourceList(changeApi.page, changeFields)
  return (
    <ListPage
      of={list}
      filters={<Filters of={list} show={['keyword', 'kind', 'state', 'days']} />}
      actions={<ExportButton code={changeApi.export} title="导出变更记录" total={list.total} kept="24 小时" reason_above={reason_above} run={reason => downloadFile(changeApi.export, ChangeExport.parse({ ...list.values, reason }), { quiet: true })} />}
    >
      <Table
        of={list}
        show={['kind', 'state', 'effective_on', 'subjects', 'reason', 'effects', 'created_by', 'created_at', 'undo']}
        row={receiptButton(open)}
        row_width={80}
        empty="还没有变更：在学生家长档案中办理调班、离校后，这里会留下回执"
      />
    </ListPage>
  )
}

function receiptButton(open: (command_id: string) => void): (row: ChangeRow) => ReactNode {
  return ({ command_id }) => (
    <Button type="link" aria-label={`查看回执 ${command_id}`} onClick={() => open(command_id)}>
      回执
    </Button>
  )
}
