import type { StaffRow } from '@campus/people/contract'
import { Can, useFocusReturn } from '@kit/web'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import type { MenuProps } from 'antd'
import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { staffWord } from './words.ts'
import type { StaffChangeWay } from './words.ts'

const Editor = lazy(() => import('./staff-editor.tsx').then(part => ({ default: part.StaffEditor })))
const Detail = lazy(() => import('./staff-detail.tsx').then(part => ({ default: part.StaffDetail })))
const Change = lazy(() => import('./staff-change-dialog.tsx').then(part => ({ default: part.StaffChangeDialog })))

/** Codes rather than endpoints: the contracts of file and commands are fetched with their dialogs. */
const edit_code = 'people.staff.edit'
const change_code = 'people.change.run'
const quit_code = 'people.quit.view'
const takes_focus = { autoFocus: true }

type Opened = { view: 'create' } | { view: 'detail' | 'edit'; user_id: string } | { view: StaffChangeWay; rows: readonly StaffRow[] } | null
/** What is open about staff: a file, a new one, or a command. */
export type StaffDoor = { opened: Opened; open: (opened: Opened) => void; close: () => void }

/** The one drawer or dialog of a page about staff. */
export function useStaffDoor(): StaffDoor {
  const [opened, open] = useState<Opened>(null)
  return { opened, open, close: useCallback(() => open(null), []) }
}

/** 新增 and 办理返聘, for whoever may. */
export function AddStaff({ door }: { door: StaffDoor }): ReactNode {
  return (
    <>
      <Can code={edit_code}>
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => door.open({ view: 'create' })}>{`新增${staffWord()}`}</Button>
      </Can>
      <Can code={change_code}>
        <Can code={quit_code}>
          <Button onClick={() => door.open({ view: 'return', rows: [] })}>办理返聘</Button>
        </Can>
      </Can>
    </>
  )
}

/** 详情, 编辑, 调部门 and 更多 of one row. */
export function StaffActions({ row, door }: { row: StaffRow; door: StaffDoor }): ReactNode {
  const { user_id, user_name } = row
  const more = useRef<HTMLButtonElement>(null)
  const leave: MenuProps['onClick'] = ({ domEvent }) => {
    // The item is gone with its menu; the button is where the dialog gives the focus back.
    domEvent.preventDefault()
    more.current?.focus()
    door.open({ view: 'leave', rows: [row] })
  }
  return (
    <>
      <Button type="link" aria-label={`详情 ${user_name}`} onClick={() => door.open({ view: 'detail', user_id })}>详情</Button>
      <Can code={edit_code}>
        <Button type="link" aria-label={`编辑 ${user_name}`} onClick={() => door.open({ view: 'edit', user_id })}>编辑</Button>
      </Can>
      <Can code={change_code}>
        <Button type="link" aria-label={`调部门 ${user_name}`} disabled={row.depts.length === 0} onClick={() => door.open({ view: 'move', rows: [row] })}>调部门</Button>
        <Dropdown menu={{ items: [{ key: 'leave', label: '离职', danger: true }], onClick: leave }} trigger={['click']} {...takes_focus}>
          <Button type="link" ref={more} aria-label={`更多 ${user_name}`}>更多</Button>
        </Dropdown>
      </Can>
    </>
  )
}

/** 调部门 and 离职 of the chosen rows. */
export function StaffChosen({ rows, door }: { rows: readonly StaffRow[]; door: StaffDoor }): ReactNode {
  if (rows.length === 0) return null
  return (
    <Can code={change_code}>
      <Button onClick={() => door.open({ view: 'move', rows })}>调部门</Button>
      <Button danger onClick={() => door.open({ view: 'leave', rows })}>离职</Button>
    </Can>
  )
}

/** Whatever is open; its code is fetched when it is first opened. */
export function StaffDialogs({ door, dept_id }: { door: StaffDoor; dept_id: string | undefined }): ReactNode {
  const { opened, open, close } = door
  useFocusReturn(opened !== null)
  return (
    <Suspense fallback={null}>
      {opened?.view === 'detail' && <Detail user_id={opened.user_id} onClose={close} onEdit={() => open({ view: 'edit', user_id: opened.user_id })} />}
      {opened?.view === 'edit' && <Editor key={opened.user_id} user_id={opened.user_id} onClose={close} />}
      {opened?.view === 'create' && <Editor dept_id={dept_id} onClose={close} />}
      {opened && 'rows' in opened && <Change key={opened.view} way={opened.view} rows={opened.rows} onClose={close} />}
    </Suspense>
  )
}
