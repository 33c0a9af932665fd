import { App } from 'antd'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { setConfirmSink } from './confirm-danger.tsx'
import { setToastSink } from './toast.ts'

const DURATION_S = 2

/** Gives messages and confirmations their place; stands once inside antd's `<App>`. */
export function Feedback(): ReactNode {
  const { message, modal } = App.useApp()
  useEffect(() => {
    setToastSink((tone, text) => {
      void message.open({ type: tone, content: text, duration: DURATION_S, key: text })
    })
    setConfirmSink((options) => Promise.resolve(modal.confirm(options)))
    return () => {
      setToastSink(undefined)
      setConfirmSink(undefined)
    }
  }, [message, modal])
  return null
}
