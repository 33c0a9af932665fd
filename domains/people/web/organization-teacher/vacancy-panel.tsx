import type { DeptTreeNode, StaffDept } from '@campus/people/contract'
import { Button, Empty } from 'antd'
import type { ReactNode } from 'react'
import type { DeptDoor } from '../organization/dept-door.ts'

type Props = { nodes: readonly DeptTreeNode[]; depts: ReadonlyMap<string, StaffDept>; door: DeptDoor | undefined; open: (id: string) => void; close: () => void }

/** Departments with people and nobody who leads them, each with the way to name somebody. */
export function VacancyPanel({ nodes, depts, door, open, close }: Props): ReactNode {
  return (
    <section className="team-panel" aria-label="缺负责人的部门">
      <header className="team-head">
        <h2>缺负责人的部门</h2>
        <span className="org-buttons"><Button onClick={close}>返回成员</Button></span>
      </header>
      {nodes.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="有人员的部门都已设负责人"><Button onClick={close}>返回成员</Button></Empty>}
      <ul className="team-vacancies">
        {nodes.map(node => (
          <li key={node.id}>
            <button type="button" className="kit-link" onClick={() => open(node.id)}>{node.pt_node_path_name.split('/').slice(1).join(' / ') || node.dept_name}</button>
            <span>{`${peopleOf(depts.get(node.id))} 人`}</span>
            {door && <Button size="small" aria-label={`设置负责人 ${node.dept_name}`} onClick={() => door.open({ kind: 'edit', id: node.id })}>设置负责人</Button>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function peopleOf(dept: StaffDept | undefined): number {
  return dept ? dept.primary_count + dept.part_count : 0
}
