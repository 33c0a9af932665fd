import { PlusOutlined } from '@ant-design/icons'
import type { DeptTreeNode } from '@campus/people/contract'
import { Button, Dropdown } from 'antd'
import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import type { Totals } from './board.ts'
import type { DeptDoor } from './dept-door.ts'
import { DeptImport } from './dept-import.tsx'
import { dept_types, everyNode } from './dept-place.ts'
import { takes_focus } from './menu-focus.ts'

const DelegateLink = lazy(() => import('../delegate/delegate-link.tsx').then(part => ({ default: part.DelegateLink })))
const OrgMore = lazy(() => import('./org-more.tsx').then(part => ({ default: part.OrgMore })))
const YearLinks = lazy(() => import('../upgrade/year-links.tsx').then(part => ({ default: part.YearLinks })))

type Props = { totals: Totals | undefined; tree: readonly DeptTreeNode[] | undefined; only_headless: boolean; on: string | undefined; filter: (on: boolean) => void; door: DeptDoor | undefined }

/** What there is, and the ways to add to it. */
export function HeadBar({ totals, tree, on, only_headless, filter, door }: Props): ReactNode {
  return (
    <>
      {totals && (
        <div className="org-totals">
          <Count value={totals.divisions} word="学部" />
          <Count value={totals.grades} word="年级" />
          <Count value={totals.classes} word="班级" />
          <Count value={totals.students} word="学生" />
          {(totals.headless > 0 || only_headless) && (
            <button type="button" className="org-headless" aria-pressed={only_headless} onClick={() => filter(!only_headless)}>
              未设班主任 <b>{totals.headless}</b>
            </button>
          )}
        </div>
      )}
      <Suspense><DelegateLink which="student" /><YearLinks /><OrgMore on={on} /></Suspense>
      {door && <DeptImport />}
      {door && tree && <Adders door={door} tree={tree} />}
    </>
  )
}

function Count({ value, word }: { value: number; word: string }): ReactNode {
  return (
    <span>
      {word} <b>{value.toLocaleString('en-US')}</b>
    </span>
  )
}

function Adders({ door, tree }: { door: DeptDoor; tree: readonly DeptTreeNode[] }): ReactNode {
  const [root] = tree
  if (!root) return null
  const home = everyNode(tree).find(node => node.dept_type === dept_types.division) ?? root
  const items = [
    { key: 'grade', label: '新增年级', onClick: () => door.open({ kind: 'add', parent_id: home.id, dept_type: dept_types.grade }) },
    { key: 'division', label: '新增学部', onClick: () => door.open({ kind: 'add', parent_id: root.id, dept_type: dept_types.division }) },
    { key: 'starter', label: '快速建校', onClick: () => door.open({ kind: 'starter' }) },
  ]
  return (
    <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight" {...takes_focus}>
      <Button type="primary" icon={<PlusOutlined aria-hidden />}>新增</Button>
    </Dropdown>
  )
}
