import type { StudentRow } from '@campus/people/contract'
import { Can, useFocusReturn } from '@kit/web'
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useCallback, useState } from 'react'
import type { ReactNode } from 'react'

const Editor = lazy(() => import('./file-editor.tsx').then(part => ({ default: part.FileEditor })))
const Detail = lazy(() => import('./file-detail.tsx').then(part => ({ default: part.FileDetail })))

/** Codes rather than endpoints: the contract of the file (4 KiB) is fetched with the drawer. */
export const file_needs = { read: 'people.student.view', write: 'people.student.edit' } as const

type Opened = { view: 'create' } | { view: 'detail' | 'edit'; user_id: string } | null
/** Which file of a pupil is open, and how it is opened. */
export type FileDoor = { opened: Opened; open: (opened: Opened) => void; close: () => void }

/** The one drawer of a page in which a pupil's file is read, written or made. */
export function useFileDoor(): FileDoor {
  const [opened, open] = useState<Opened>(null)
  return { opened, open, close: useCallback(() => open(null), []) }
}

/** 新增学生, for whoever may. */
export function AddStudent({ door }: { door: FileDoor }): ReactNode {
  return (
    <Can code={file_needs.write}>
      <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => door.open({ view: 'create' })}>
        新增学生
      </Button>
    </Can>
  )
}

/** 详情 and 编辑 of one row. */
export function FileActions({ row, door }: { row: StudentRow; door: FileDoor }): ReactNode {
  const { user_id, user_name } = row
  return (
    <>
      <Can code={file_needs.read}>
        <Button type="link" aria-label={`详情 ${user_name}`} onClick={() => door.open({ view: 'detail', user_id })}>
          详情
        </Button>
      </Can>
      <Can code={file_needs.write}>
        <Button type="link" aria-label={`编辑 ${user_name}`} onClick={() => door.open({ view: 'edit', user_id })}>
          编辑
        </Button>
      </Can>
    </>
  )
}

/** The drawer itself; its code is fetched when it is first opened. `dept_id` is the class a new pupil is offered. */
export function StudentFile({ door, dept_id }: { door: FileDoor; dept_id: string | undefined }): ReactNode {
  const { opened, open, close } = door
  useFocusReturn(opened !== null)
  return (
    <Suspense fallback={null}>
      {opened?.view === 'detail' && <Detail user_id={opened.user_id} onClose={close} onEdit={() => open({ view: 'edit', user_id: opened.user_id })} />}
      {opened?.view === 'edit' && <Editor key={opened.user_id} user_id={opened.user_id} onClose={close} />}
      {opened?.view === 'create' && <Editor dept_id={dept_id} onClose={close} />}
    </Suspense>
  )
}
