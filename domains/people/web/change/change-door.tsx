import type { StudentRow } from '@campus/people/contract'
import { HistoryOutlined } from '@ant-design/icons'
import { PasswordSlips } from '@campus/identity/web'
import { Can, useCan } from '@kit/web'
import { Link } from '@tanstack/react-router'
import { Button, Dropdown } from 'antd'
import type { MenuProps } from 'antd'
import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { account_code } from '../password/password-doors.tsx'
import type { PupilChangeKind } from './pupil-change-kind.ts'

const Dialog = lazy(() => import('./change-dialog.tsx').then(part => ({ default: part.ChangeDialog })))

const LeaveAndDelete = lazy(() => import('../deletion/leave-and-delete.tsx').then(part => ({ default: part.LeaveAndDelete })))
/** The code rather than the endpoint, so that the list stays light. */
const may_delete_code = 'people.delete.run'

// A menu that was opened by key is walked by key.
const takes_focus = { autoFocus: true }

/** What the menu of a row begins: a command, a deletion, or a new password. */
type Begun = PupilChangeKind | 'delete' | 'reset'
type Opened = { kind: Begun; rows: readonly StudentRow[]; /** the class that is chosen already */ to_dept_id?: string } | null
/** Which command is being filled in, and for whom. */
export type ChangeDoor = { opened: Opened; open: (opened: Opened) => void; close: () => void }

/** The one change dialog of a page. */
export function useChangeDoor(): ChangeDoor {
  const [opened, open] = useState<Opened>(null)
  return { opened, open, close: useCallback(() => open(null), []) }
}

/** 调班 and 更多 of one row. */
export function ChangeActions({ row, door }: { row: StudentRow; door: ChangeDoor }): ReactNode {
  const more = useRef<HTMLButtonElement>(null)
  const may_delete = useCan(may_delete_code)
  const may_reset = useCan(account_code)
  const items: Item[] = [...pauses(row.state), ...(may_reset ? [{ key: 'reset' as const, label: '重置密码' }] : []), { key: 'leave', label: '离校', danger: true }, ...(may_delete ? [{ key: 'delete' as const, label: '删除', danger: true }] : [])]
  const act: MenuProps['onClick'] = ({ key, domEvent }) => {
    // The item is gone with its menu; the button is where the dialog gives the focus back. It must not take the Enter of the item for its own.
    domEvent.preventDefault()
    more.current?.focus()
    const item = items.find(one => one.key === key)
    if (item) door.open({ kind: item.key, rows: [row] })
  }
  return (
    <>
      <Button type="link" aria-label={`调班 ${row.user_name}`} disabled={row.dept_id === null} onClick={() => door.open({ kind: 'move', rows: [row] })}>
        调班
      </Button>
      <Dropdown menu={{ items, onClick: act }} trigger={['click']} {...takes_focus}>
        <Button type="link" ref={more} aria-label={`更多 ${row.user_name}`}>更多</Button>
      </Dropdown>
    </>
  )
}

type Item = { key: Begun; label: string; danger?: boolean }

/** Whoever is in class can be suspended; whoever is kept on the roll comes back, and a suspension can be renewed. */
function pauses(state: string): Item[] {
  if (state === '01') return [{ key: 'suspend', label: '休学' }]
  return state === '02' ? [{ key: 'resume', label: '复学' }, { key: 'suspend', label: '延长休学' }] : [{ key: 'resume', label: '复学' }]
}

/** 调班 and 离校 of the chosen rows. */
export function ChangeChosen({ rows, door }: { rows: readonly StudentRow[]; door: ChangeDoor }): ReactNode {
  if (rows.length === 0) return null
  return (
    <>
      <Button onClick={() => door.open({ kind: 'move', rows })}>调班</Button>
      <Button danger onClick={() => door.open({ kind: 'leave', rows })}>离校</Button>
    </>
  )
}

/** The dialog itself; its code is fetched when it is first opened. */
export function ChangeDialogs({ door }: { door: ChangeDoor }): ReactNode {
  const { opened, close } = door
  const [first] = opened?.rows ?? []
  if (opened?.kind === 'delete') return <Suspense fallback={null}>{first && <LeaveAndDelete key={first.user_id} row={first} onClose={close} />}</Suspense>
  if (opened?.kind === 'reset') return <PasswordSlips user_ids={opened.rows.map(row => row.user_id)} onClose={close} onDone={() => undefined} />
  return <Suspense fallback={null}>{opened && <Dialog key={opened.kind} kind={opened.kind} rows={opened.rows} to_dept_id={opened.to_dept_id} onClose={close} />}</Suspense>
}

/** The way to what was changed before, for whoever may read it; a code rather than an endpoint, so that the list stays light. */
export function RecordLink(): ReactNode {
  return (
    <Can code="people.change.view">
      <Link to="/ChangeRecord" className="kit-link" title="变更记录">
        <HistoryOutlined aria-hidden /> 变更记录
      </Link>
    </Can>
  )
}
