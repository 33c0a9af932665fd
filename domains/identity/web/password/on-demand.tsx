import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'

const Dialog = lazy(() => import('./slips-dialog.tsx').then(part => ({ default: part.SlipsDialog })))

/** New one-time passwords for several people, fetched when it is asked for. */
export function PasswordSlips(props: { user_ids: readonly string[]; onClose: () => void; onDone: () => void }): ReactNode {
  return <Suspense fallback={null}><Dialog {...props} /></Suspense>
}
