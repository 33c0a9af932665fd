import { Modal } from 'antd'
import type { ModalProps } from 'antd'
import { useEffect, useId } from 'react'
import type { ReactNode } from 'react'
import { useFirstFocus } from './first-focus.ts'
import { useFocusReturn } from './focus-return.ts'
import { useShown } from './use-shown.ts'

/** What a dialog takes of antd's Modal. `closable={false}` makes Esc do nothing too. */
export type AppModalProps = Pick<ModalProps, 'open' | 'title' | 'width' | 'footer' | 'okText' | 'okButtonProps' | 'cancelButtonProps' | 'confirmLoading' | 'onOk' | 'onCancel'> & {
  closable?: boolean
  children?: ReactNode
}

/** antd's Modal in the console's manner: centred, the mask does not close it, Ctrl+Enter presses the confirm button. */
export function ModalView({ children, open = false, closable = true, okButtonProps, ...modal }: AppModalProps): ReactNode {
  const id = useId()
  useCtrlEnter(id)
  const shown = useShown(open)
  useFocusReturn(shown)
  const panel = useFirstFocus(shown)
  return (
    <Modal centered destroyOnHidden {...modal} className={panel} open={shown} okButtonProps={{ ...okButtonProps, id, 'aria-disabled': modal.confirmLoading }} closable={closable} keyboard={closable} mask={{ closable: false }}>
      {children}
    </Modal>
  )
}

// Only the dialog that holds the focus reacts, so that a question above a form confirms itself alone.
function useCtrlEnter(id: string): void {
  useEffect(() => {
    const confirm = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !event.ctrlKey || !(event.target instanceof Node)) return
      const button = document.getElementById(id)
      if (button?.closest('.ant-modal')?.contains(event.target)) button.click()
    }
    window.addEventListener('keydown', confirm)
    return () => window.removeEventListener('keydown', confirm)
  }, [id])
}
