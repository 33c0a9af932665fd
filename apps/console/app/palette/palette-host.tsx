import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { ownDialogs } from './own-dialogs.ts'
import type { OwnDialog } from './own-dialogs.ts'
import { Palette } from './palette.tsx'
import './palette.css'

/** The palette while it is open, and the dialog it was left for. */
export function PaletteHost({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  const [dialog, setDialog] = useState<OwnDialog>()
  const Dialog = dialog && ownDialogs[dialog]
  return (
    <>
      {open && <Palette onClose={onClose} onDialog={setDialog} />}
      <Suspense>{Dialog && <Dialog onClose={() => setDialog(undefined)} />}</Suspense>
    </>
  )
}
