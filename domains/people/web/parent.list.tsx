import { parentApi } from '@campus/people/contract'
import type { ParentRow } from '@campus/people/contract'
import { Filters, ListPage, Table, useCan, useResourceList } from '@kit/web'
import { Empty } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { importNeed } from './import-buttons.tsx'
import { ParentAction } from './parent/parent-door.tsx'
import { parentFields } from './parent.fields.tsx'

type Props = { nameOf: (dept_id: string) => string | undefined; head: ReactNode; side: ReactNode; actions: ReactNode; more: ReactNode; start: ReactNode }

const DETAIL_WIDTH = 72
const below = { include_sub: '1' }

/** The parents of the chosen class. `start` is offered while there are none. */
export function ParentList({ nameOf, head, side, actions, more, start }: Props): ReactNode {
  const list = useResourceList(parentApi.list, useMemo(() => parentFields(nameOf), [nameOf]), { fixed: below, part: 'parent' })
  const may_import = useCan(importNeed('parent'))
  const has_none = list.total === 0 && !list.first && !list.loading && Object.keys(list.values).length === 0
  return (
    <ListPage of={list} head={head} side={side} filters={<Filters of={list} show={['keyword', 'is_guardian']} />} actions={actions} more={more}>
      {has_none ? (
        <Empty className="people-empty" image={Empty.PRESENTED_IMAGE_SIMPLE} description={may_import ? '还没有家长，导入学生时会一并导入，也可以单独导入家长' : '还没有可查看的家长，家长随学生档案登记；批量导入请联系学校管理员'}>
          {start}
        </Empty>
      ) : (
        <Table of={list} show={['user_name', 'mobile', 'children', 'relation', 'updated_at']} row={rowActions} row_width={DETAIL_WIDTH} />
      )}
    </ListPage>
  )
}

function rowActions(row: ParentRow): ReactNode {
  return <ParentAction row={row} />
}
