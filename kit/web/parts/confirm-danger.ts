import type { ReactNode } from 'react'

/** What is asked before a destructive or wide act; `touches` says what it will touch (人数, 设备数). */
export type Question = { title: string; touches?: ReactNode; ok?: string }
type Sink = (question: Question) => Promise<boolean>

let sink: Sink | undefined

/** Where confirmations appear; filled by `<Feedback>`. */
export function setConfirmSink(given: Sink | undefined): void {
  sink = given
}

/** Asks before a destructive or wide act. Answers true when confirmed; the safe button has the focus. */
export function confirmDanger(question: Question): Promise<boolean> {
  return sink ? sink(question) : Promise.resolve(false)
}
