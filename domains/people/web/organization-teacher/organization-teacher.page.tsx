import { deptEditApi } from '@campus/people/contract'
import type { DeptTreeNode, StaffDept } from '@campus/people/contract'
import { PageTabs, readStored, useCan, usePage } from '@kit/web'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import { BoardSkeleton } from '../organization/board-skeleton.tsx'
import { useDeptDoor } from '../organization/dept-door.ts'
import type { DeptDoor } from '../organization/dept-door.ts'
import { DeptDialogs } from '../organization/dept-dialogs.tsx'
import { everyNode, nodeOf } from '../organization/dept-place.ts'
import { TreeView } from '../organization/tree-view.tsx'
import { MemberPanel } from './member-panel.tsx'
import { staffFacts } from './staff-facts.tsx'
import { StaffHead } from './staff-head.tsx'
import { useStaffBoard } from './use-staff-board.ts'
import type { StaffBoard } from './use-staff-board.ts'
import { VacancyPanel } from './vacancy-panel.tsx'
import '../organization/organization.css'
import './organization-teacher.css'

const ChartView = lazy(() => import('./chart-view.tsx').then(part => ({ default: part.ChartView })))

const views = [{ key: 'members', label: '部门成员' }, { key: 'chart', label: '架构图' }] as const
const enterprise = '2'

/** 教职工组织架构: the departments of the staff with their people, who leads them and who is missing, as a tree or as a chart. */
export default function OrganizationTeacher(): ReactNode {
  const board = useStaffBoard()
  const door = useDeptDoor(readStored('school_type') === enterprise ? 'company' : 'staff')
  const { tree, depts, failed, retry } = board
  const is_ready = tree !== undefined && depts !== undefined
  return (
    <div className="org" onFocus={door.remember} data-ready={failed !== null ? 'failed' : is_ready ? 'organization' : undefined}>
      {failed !== null && <div className="kit-failed org-body" role="alert"><p>{failed}</p><Button onClick={retry}>重试</Button></div>}
      {failed === null && !is_ready && <BoardSkeleton />}
      {failed === null && is_ready && <Loaded board={board} tree={tree} depts={depts} door={door} />}
    </div>
  )
}

type Loaded = { board: StaffBoard; tree: DeptTreeNode[]; depts: ReadonlyMap<string, StaffDept>; door: DeptDoor }

function Loaded({ board, tree, depts, door }: Loaded): ReactNode {
  const { search, setSearch } = usePage()
  const edit_door = useCan(deptEditApi.update) ? door : undefined
  const view = search.view === 'chart' ? 'chart' : 'members'
  const only_vacant = view === 'members' && search.only === 'vacant'
  const chosen = nodeOf(tree, search.dept_id ?? '') ?? tree[0]
  const go = (next: { view?: 'chart'; only?: 'vacant'; dept_id?: string }) => setSearch(Object.fromEntries(Object.entries(next)))
  if (!chosen) return <div className="org-body org-empty">没有可查看的部门，请联系学校管理员调整查看范围</div>
  const open = (dept_id: string) => go({ dept_id })
  return (
    <>
      <div className="org-head">
        <PageTabs tabs={views} value={view} onChange={key => go({ dept_id: chosen.id, ...(key === 'chart' ? { view: key } : {}) })} />
        <StaffHead tree={tree} depts={depts} chosen={chosen} only_vacant={only_vacant} filter={on => go({ dept_id: chosen.id, ...(on ? { only: 'vacant' } : {}) })} door={edit_door} />
      </div>
      {view === 'chart' && <Suspense fallback={<BoardSkeleton />}><ChartView tree={tree} depts={depts} acting={board.acting} open={open} /></Suspense>}
      {view === 'members' && (
        <div className="team">
          <TreeView side="staff" tree={tree} door={edit_door} start={chosen.id} onActive={id => id !== search.dept_id && open(id)} facts={staffFacts(board)} />
          {only_vacant
            ? <VacancyPanel nodes={everyNode(tree).filter(node => depts.get(node.id)?.is_vacant)} depts={depts} door={edit_door} open={open} close={() => open(chosen.id)} />
            : <MemberPanel node={chosen} dept={depts.get(chosen.id)} acting={board.acting.get(chosen.id)} edit={edit_door && chosen.parent_id !== null ? () => door.open({ kind: 'edit', id: chosen.id }) : undefined} />}
        </div>
      )}
      <DeptDialogs door={door} tree={tree} board={[]} />
    </>
  )
}
