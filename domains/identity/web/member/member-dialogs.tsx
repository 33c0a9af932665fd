import type { RoleRow } from '@campus/identity/contract'
import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import { ExplainDoor } from '../explain/explain-door.tsx'
import { useMembersChanged } from './use-member-list.ts'
import type { MemberLine } from './use-member-list.ts'

const AddDialog = lazy(() => import('./add-dialog.tsx').then(part => ({ default: part.AddDialog })))
const ExtendDialog = lazy(() => import('./extend-dialog.tsx').then(part => ({ default: part.ExtendDialog })))
const SubstituteDialog = lazy(() => import('./substitute-dialog.tsx').then(part => ({ default: part.SubstituteDialog })))
const RemoveDialog = lazy(() => import('./remove-dialog.tsx').then(part => ({ default: part.RemoveDialog })))
const SlipsDialog = lazy(() => import('../password/slips-dialog.tsx').then(part => ({ default: part.SlipsDialog })))
const HistoryDrawer = lazy(() => import('./history-drawer.tsx').then(part => ({ default: part.HistoryDrawer })))

/** Which dialog of the members is open. */
export type OpenedMembers = { view: 'add' | 'history' } | { view: 'extend' | 'remove' | 'slips'; rows: MemberLine[] } | { view: 'explain' | 'substitute'; row: MemberLine } | null
type Props = { role: RoleRow; opened: OpenedMembers; onClose: () => void; onDone: () => void }

/** The dialogs of the page; after a change list and counts are read again. */
export function MemberDialogs({ role, opened, onClose, onDone }: Props): ReactNode {
  const refresh = useMembersChanged()
  const changed = async () => {
    onDone()
    await refresh()
  }
  return (
    <Suspense>
      {opened?.view === 'add' && <AddDialog role={role} onClose={onClose} onChanged={changed} />}
      {opened?.view === 'extend' && <ExtendDialog rows={opened.rows} onClose={onClose} onChanged={changed} />}
      {opened?.view === 'remove' && <RemoveDialog role={role} rows={opened.rows} onClose={onClose} onChanged={changed} />}
      {opened?.view === 'slips' && <SlipsDialog user_ids={[...new Set(opened.rows.map(row => row.user_id))]} onClose={onClose} onDone={onDone} />}
      {opened?.view === 'substitute' && <SubstituteDialog role={role} row={opened.row} onClose={onClose} onChanged={changed} />}
      {opened?.view === 'history' && <HistoryDrawer role={role} onClose={onClose} />}
      {opened?.view === 'explain' && <ExplainDoor person={opened.row} role_id={role.role_id} role_no={opened.row.member?.role_no} onClose={onClose} />}
    </Suspense>
  )
}
