import { changeApi } from '@campus/people/contract'
import type { ChangeRow } from '@campus/people/contract'
import { Filters, ListPage, Table, useResourceList } from '@kit/web'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { changeFields } from './change.fields.tsx'

/** The list of commands. */
export function ChangeList({ open }: { open: (command_id: string) => void }): ReactNode {
  const list = useResourceList(changeApi.page, changeFields)
  return (
    <ListPage of={list} filters={<Filters of={list} show={['keyword', 'kind', 'state', 'days']} />}>
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
