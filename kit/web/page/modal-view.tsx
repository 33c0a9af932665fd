import { Modal } from 'antd'
import type { KeyboardEvent, ReactNode } from 'react'
import type { AppModalProps } from './app-modal.tsx'

const ok_mark: Record<string, string> = { 'data-ok': '' }

/** antd's Modal in the console's manner: centred, the mask does not close it, Ctrl+Enter presses the confirm button. */
export default function ModalView({ children, closable = true, okButtonProps, ...modal }: AppModalProps): ReactNode {
  const confirm = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Enter' && event.ctrlKey) event.currentTarget.querySelector<HTMLButtonElement>('[data-ok]')?.click()
  }
  return (
    <Modal
      centered
      destroyOnHidden
      {...modal}
      okButtonProps={{ ...okButtonProps, ...ok_mark }}
      closable={closable}
      keyboard={closable}
      mask={{ closable: false }}
      modalRender={(dialog) => <div onKeyDown={confirm}>{dialog}</div>}
    >
      {children}
    </Modal>
  )
}
