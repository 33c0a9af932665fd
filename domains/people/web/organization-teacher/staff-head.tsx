import { PlusOutlined } from '@ant-design/icons'
import type { DeptTreeNode, StaffDept } from '@campus/people/contract'
import { Can } from '@kit/web'
import { Button, Dropdown } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import type { DeptDoor } from '../organization/dept-door.ts'
import { DeptImport } from '../organization/dept-import.tsx'
import { childTypes, everyNode, typeWord } from '../organization/dept-place.ts'
import { takes_focus } from '../organization/menu-focus.ts'
import { staffWord } from '../staff/words.ts'

const DeptExportDialog = lazy(() => import('../organization/dept-export-dialog.tsx').then(part => ({ default: part.DeptExportDialog })))
const DelegateLink = lazy(() => import('../delegate/delegate-link.tsx').then(part => ({ default: part.DelegateLink })))

type Props = { tree: readonly DeptTreeNode[]; depts: ReadonlyMap<string, StaffDept>; chosen: DeptTreeNode; only_vacant: boolean; filter: (on: boolean) => void; door: DeptDoor | undefined }

/** What there is, who is missing, and the ways to change it. */
export function StaffHead({ tree, depts, chosen, only_vacant, filter, door }: Props): ReactNode {
  const vacant = [...depts.values()].filter(dept => dept.is_vacant).length
  const people = tree.reduce((sum, node) => sum + node.staff_count, 0)
  return (
    <>
      <div className="org-totals">
        <span>部门 <b>{everyNode(tree).length - tree.length}</b></span>
        <span>{staffWord()} <b>{people.toLocaleString('en-US')}</b></span>
        {(vacant > 0 || only_vacant) && <button type="button" className="org-headless" aria-pressed={only_vacant} onClick={() => filter(!only_vacant)}>缺负责人 <b>{vacant}</b></button>}
      </div>
      <div className="team-doors">
        <Suspense><DelegateLink which="staff" /></Suspense>
        <Export />
        {door && <DeptImport />}
        {door && <Adder chosen={chosen} root={tree[0]} door={door} />}
      </div>
    </>
  )
}

function Export(): ReactNode {
  const [open, setOpen] = useState(false)
  return (
    <Can code="people.dept.export">
      <Button onClick={() => setOpen(true)}>导出</Button>
      <Suspense>{open && <DeptExportDialog tree="staff" close={() => setOpen(false)} />}</Suspense>
    </Can>
  )
}

/** 新增: below the chosen department, or where nothing can stand below it, below the school. */
function Adder({ chosen, root, door }: { chosen: DeptTreeNode; root: DeptTreeNode | undefined; door: DeptDoor }): ReactNode {
  const home = childTypes(chosen.dept_type, door.makes).length > 0 ? chosen : (root ?? chosen)
  const items = childTypes(home.dept_type, door.makes).map(dept_type => ({ key: String(dept_type), label: `新增${typeWord(dept_type)}`, onClick: () => door.open({ kind: 'add', parent_id: home.id, dept_type }) }))
  return (
    <Dropdown menu={{ items: [{ type: 'group', key: 'home', label: `在“${home.dept_name}”下`, children: items }] }} trigger={['click']} placement="bottomRight" {...takes_focus}>
      <Button type="primary" icon={<PlusOutlined aria-hidden />}>新增部门</Button>
    </Dropdown>
  )
}
