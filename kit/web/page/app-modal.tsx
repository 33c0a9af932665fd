import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import type { AppModalProps } from './modal-view.tsx'
import { usePage } from './page-context.ts'

const ModalView = lazy(() => import('./modal-view.tsx').then((part) => ({ default: part.ModalView })))

/**
 * The dialog of pages: gone while its page is hidden, because an open antd Modal in a hidden Activity breaks the app on
 * return. Esc closes, Ctrl+Enter confirms. Its code loads when the first dialog opens.
 */
export function AppModal(props: AppModalProps): ReactNode {
  const { active } = usePage()
  const [opened, setOpened] = useState(false)
  if (props.open && !opened) setOpened(true)
  if (!active || !opened) return null
  return (
    <Suspense>
      <ModalView {...props} />
    </Suspense>
  )
}
