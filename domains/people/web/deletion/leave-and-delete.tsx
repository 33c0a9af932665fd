import type { StudentRow } from '@campus/people/contract'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ChangeDialog } from '../change/change-dialog.tsx'
import { useRefreshChanges } from '../change/use-change.ts'
import { DeleteDialog } from './delete-dialog.tsx'

/** 删除 of a pupil who is still here: he leaves first, then he is put on the list; two commands, each with its own confirmation. */
export function LeaveAndDelete({ row, onClose }: { row: StudentRow; onClose: () => void }): ReactNode {
  const [step, go] = useState<'check' | 'leave' | 'left'>('check')
  const refresh = useRefreshChanges()
  if (step === 'leave') return <ChangeDialog kind="leave" rows={[row]} onClose={() => go('left')} />
  return <DeleteDialog key={step} people={[row]} leave={() => (step === 'check' ? go('leave') : onClose())} has_asked={step === 'left'} onClose={onClose} onDone={refresh} />
}
