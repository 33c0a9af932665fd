import { MoreOutlined } from '@ant-design/icons'
import type { BoardClass } from '@campus/people/contract'
import { Link } from '@tanstack/react-router'
import { Dropdown } from 'antd'
import type { ReactNode } from 'react'
import type { DeptDoor } from './dept-door.ts'
import { dept_types } from './dept-place.ts'
import { takes_focus } from './menu-focus.ts'

type Props = { one: BoardClass; grade_id: string; on: string | undefined; door: DeptDoor | undefined }

/** A class: who leads it, how full it is, boys and girls, boarders. The card opens its pupils. */
export function ClassCard({ one, grade_id, on, door }: Props): ReactNode {
  return (
    <li className="org-card">
      <div className="org-card-head">
        <Link to="/ParentsRecord" search={{ dept_id: one.id, ...(on === undefined ? {} : { on }) }} className="org-card-name" title={one.label}>
          {one.label}
        </Link>
        {door && <CardMenu one={one} grade_id={grade_id} door={door} />}
      </div>
      <p className="org-card-head-teacher">{one.head ? <span title={one.head.user_name}><small>班主任</small> {one.head.user_name}</span> : <span className="kit-bad">未设班主任</span>}</p>
      <Filling one={one} />
      <Split boys={one.boys} girls={one.girls} />
      <p className="org-card-foot">
        <span>住校 {one.boarders}</span>
        {one.kept > 0 && <span title="休学、停学、保留入学资格">不在班 {one.kept}</span>}
        {one.closed_on !== null && <span className="people-missing">{one.closed_on} 关闭</span>}
      </p>
    </li>
  )
}

function CardMenu({ one, grade_id, door }: { one: BoardClass; grade_id: string; door: DeptDoor }): ReactNode {
  const items = [
    { key: 'edit', label: '编辑', onClick: () => door.open({ kind: 'edit', id: one.id }) },
    { key: 'add', label: '添加同级', onClick: () => door.open({ kind: 'add', parent_id: grade_id, dept_type: dept_types.class }) },
    { key: 'remove', label: '关闭班级', danger: true, onClick: () => door.open({ kind: 'remove', id: one.id }) },
  ]
  return (
    <Dropdown menu={{ items }} trigger={['click']} {...takes_focus}>
      <button type="button" className="org-more" aria-label={`更多 ${one.dept_name}`}>
        <MoreOutlined aria-hidden />
      </button>
    </Dropdown>
  )
}

/** Pupils against the capacity; red when there are too many. */
function Filling({ one }: { one: BoardClass }): ReactNode {
  const { student_count, capacity } = one
  const is_over = capacity !== null && student_count > capacity
  const share = capacity === null ? 0 : Math.min(100, (student_count / capacity) * 100)
  return (
    <div className="org-filling">
      <span className={is_over ? 'kit-bad' : undefined}>
        <b>{student_count}</b>
        {capacity === null ? ' 人' : ` / ${capacity} 人`}
        {is_over && '，超员'}
      </span>
      {capacity !== null && (
        <span className="org-track" aria-hidden>
          <i className={is_over ? 'org-over' : undefined} style={{ width: `${share}%` }} />
        </span>
      )}
    </div>
  )
}

function Split({ boys, girls }: { boys: number; girls: number }): ReactNode {
  const all = boys + girls
  return (
    <div className="org-split">
      <span>男 {boys}</span>
      <span className="org-track" aria-hidden>
        {all > 0 && <i className="org-boys" style={{ width: `${(boys / all) * 100}%` }} />}
        {all > 0 && <i className="org-girls" style={{ width: `${(girls / all) * 100}%` }} />}
      </span>
      <span>女 {girls}</span>
    </div>
  )
}
