import { message, Modal } from 'antd'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { setConfirmSink } from './confirm-danger.ts'
import { setToastSink } from './toast.ts'

const DURATION_S = 2

/** Gives messages and confirmations their place; stands once inside antd's ConfigProvider, around the whole console. */
export function Feedback({ children }: { children: ReactNode }): ReactNode {
  const [messages, messageHolder] = message.useMessage({ duration: DURATION_S, maxCount: 3 })
  const [modal, modalHolder] = Modal.useModal()
  useEffect(() => {
    setToastSink((tone, text) => {
      void messages.open({ type: tone, content: text, key: text })
    })
    setConfirmSink((options) => Promise.resolve(modal.confirm(options)))
    return () => {
      setToastSink(undefined)
      setConfirmSink(undefined)
    }
  }, [messages, modal])
  return (
    <>
      {children}
      {messageHolder}
      {modalHolder}
    </>
  )
}
