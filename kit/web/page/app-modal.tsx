import { Modal } from 'antd'
import type { ModalProps } from 'antd'
import type { KeyboardEvent, ReactNode } from 'react'
import { usePage } from './page-context.ts'

type Props = Pick<ModalProps, 'open' | 'title' | 'width' | 'footer' | 'okText' | 'okButtonProps' | 'confirmLoading' | 'onOk' | 'onCancel'> & {
  closable?: boolean
  children: ReactNode
}

/**
 * The dialog of pages: gone while its page is hidden, because an open antd Modal in a hidden Activity breaks the app on
 * return. Esc closes, Ctrl+Enter confirms; with `closable={false}` Esc and the mask do nothing.
 */
export function AppModal({ children, closable = true, ...modal }: Props): ReactNode {
  const { active } = usePage()
  if (!active) return null
  const confirm = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Enter' && event.ctrlKey && !modal.okButtonProps?.disabled) event.currentTarget.querySelector<HTMLButtonElement>('[data-ok]')?.click()
  }
  return (
    <Modal
      centered
      destroyOnHidden
      {...modal}
      okButtonProps={{ ...modal.okButtonProps, ...okMark }}
      closable={closable}
      keyboard={closable}
      mask={{ closable: false }}
      modalRender={(dialog) => <div onKeyDown={confirm}>{dialog}</div>}
    >
      {children}
    </Modal>
  )
}

const okMark: Record<string, string> = { 'data-ok': '' }
