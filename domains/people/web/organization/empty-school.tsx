import type { DeptTreeNode } from '@campus/people/contract'
import { Button, Empty } from 'antd'
import type { ReactNode } from 'react'
import type { DeptDoor } from './dept-door.ts'
import { dept_types } from './dept-place.ts'

/** A school without grades: what to do first. */
export function EmptySchool({ root, door }: { root: DeptTreeNode | undefined; door: DeptDoor | undefined }): ReactNode {
  return (
    <div className="org-body org-empty">
      <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={door ? '还没有年级，先新增年级' : '还没有年级'}>
        {door && root && (
          <div className="org-buttons">
            <Button type="primary" onClick={() => door.open({ kind: 'starter' })}>快速建校</Button>
            <Button onClick={() => door.open({ kind: 'add', parent_id: root.id, dept_type: dept_types.grade })}>新增年级</Button>
          </div>
        )}
      </Empty>
    </div>
  )
}
