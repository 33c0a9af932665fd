import type { DeptTreeNode } from '@campus/people/contract'
import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import type { Division } from './board.ts'
import type { DeptDialog, DeptDoor } from './dept-door.ts'
import { nodeOf } from './dept-place.ts'

const NewDept = lazy(() => import('./dept-editor.tsx').then(part => ({ default: part.NewDept })))
const KnownDept = lazy(() => import('./dept-editor.tsx').then(part => ({ default: part.KnownDept })))
const BatchDialog = lazy(() => import('./batch-dialog.tsx').then(part => ({ default: part.BatchDialog })))
const MoveDialog = lazy(() => import('./move-dialog.tsx').then(part => ({ default: part.MoveDialog })))
const RemoveDialog = lazy(() => import('./remove-dialog.tsx').then(part => ({ default: part.RemoveDialog })))
const StarterDialog = lazy(() => import('./starter-dialog.tsx').then(part => ({ default: part.StarterDialog })))

type Around = { tree: readonly DeptTreeNode[]; board: readonly Division[] }

/** The open dialog of the page; each is fetched when it is first opened. */
export function DeptDialogs({ door, ...around }: Around & { door: DeptDoor }): ReactNode {
  return <Suspense>{door.opened && <Dialog dialog={door.opened} onClose={door.close} {...around} />}</Suspense>
}

function Dialog({ dialog, tree, board, onClose }: Around & { dialog: DeptDialog; onClose: () => void }): ReactNode {
  switch (dialog.kind) {
    case 'add':
      return <NewDept parent_id={dialog.parent_id} dept_type={dialog.dept_type} tree={tree} board={board} onClose={onClose} />
    case 'edit':
      return <KnownDept id={dialog.id} tree={tree} board={board} onClose={onClose} />
    case 'batch': {
      const grade = board.flatMap(division => division.grades).find(one => one.id === dialog.grade_id)
      return grade && <BatchDialog grade={grade} onClose={onClose} />
    }
    case 'move': {
      const node = nodeOf(tree, dialog.id)
      return node && <MoveDialog node={node} tree={tree} onClose={onClose} />
    }
    case 'remove': {
      const node = nodeOf(tree, dialog.id)
      return node && <RemoveDialog node={node} onClose={onClose} />
    }
    case 'starter':
      return <StarterDialog tree={tree} onClose={onClose} />
  }
}
