import type { ModalFuncProps } from 'antd'
import type { ReactNode } from 'react'

type Sink = (options: ModalFuncProps) => Promise<boolean>

let sink: Sink | undefined

/** Where confirmations appear; filled by `<Feedback>`. */
export function setConfirmSink(given: Sink | undefined): void {
  sink = given
}

/**
 * Asks before a destructive or wide act. `touches` says what it will touch (人数, 设备数).
 * Answers true when confirmed; the safe button has the focus.
 */
export function confirmDanger(question: { title: string; touches?: ReactNode; ok?: string }): Promise<boolean> {
  if (!sink) return Promise.resolve(false)
  return sink({
    title: question.title,
    content: question.touches,
    okText: question.ok ?? '确定',
    cancelText: '取消',
    okButtonProps: { danger: true },
    autoFocusButton: 'cancel',
    centered: true,
  })
}
