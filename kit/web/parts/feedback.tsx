import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { AppModal } from '../page/app-modal.tsx'
import { setConfirmSink } from './confirm-danger.ts'
import type { Question } from './confirm-danger.ts'
import { Toasts } from './toasts.tsx'

type Asked = { question: Question; answer: (yes: boolean) => void }

/** Gives messages and confirmations their place; stands once inside antd's ConfigProvider, around the whole console. */
export function Feedback({ children }: { children: ReactNode }): ReactNode {
  const [asked, setAsked] = useState<Asked>()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    setConfirmSink((question) => new Promise((answer) => {
      setAsked({ question, answer })
      setOpen(true)
    }))
    return () => setConfirmSink(undefined)
  }, [])
  const answer = (yes: boolean) => {
    asked?.answer(yes)
    setOpen(false)
  }
  return (
    <>
      {children}
      <Toasts />
      <AppModal
        open={open}
        width={416}
        title={asked?.question.title}
        okText={asked?.question.ok ?? '确定'}
        okButtonProps={{ danger: true }}
        cancelButtonProps={{ autoFocus: true }}
        onOk={() => answer(true)}
        onCancel={() => answer(false)}
      >
        {asked?.question.touches}
      </AppModal>
    </>
  )
}
