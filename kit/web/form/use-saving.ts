import type { FormInstance } from 'antd'
import { useRef, useState } from 'react'
import { CallError } from '../call/envelope.ts'
import { confirmDanger } from '../parts/confirm-danger.ts'
import { toast } from '../parts/toast.ts'
import { showFieldErrors } from './form-rules.ts'
import type { Homes } from './form-rules.ts'

/** An input that is not let through: these sentences say only that. */
const vague: readonly (string | undefined)[] = ['common.malformed', 'common.invalid']
const most_told = 3

/** One change on its way: `busy` while it travels, `refused` the sentence with which it came back. */
export type Saving = { busy: boolean; refused: string | null; run: (change: () => Promise<unknown>, done?: string) => Promise<boolean> }

/**
 * Runs the changes of a dialog: the button spins, a refusal stands above the form or beside its fields, and what was typed stays.
 * @param homes which field a refusal is about, by its error id
 */
export function useSaving(form?: FormInstance, homes?: Homes): Saving {
  const [busy, setBusy] = useState(false)
  // A second click may come before the first has been drawn.
  const is_running = useRef(false)
  const [refused, setRefused] = useState<string | null>(null)
  const run = async (change: () => Promise<unknown>, done?: string) => {
    if (is_running.current) return false
    is_running.current = true
    setBusy(true)
    setRefused(null)
    try {
      await change()
      if (done !== undefined) toast.success(done)
      return true
    } catch (cause) {
      if (!isUnfilled(cause) && (!form || !showFieldErrors(form, cause, homes))) setRefused(sentenceOf(cause))
      return false
    } finally {
      is_running.current = false
      setBusy(false)
    }
  }
  return { busy, refused, run }
}

/** Whether the form itself refused what is in it: its fields say so already. */
export function isUnfilled(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && 'errorFields' in cause
}

/** Asks before typed things are thrown away. */
export function mayDiscard(): Promise<boolean> {
  return confirmDanger({ title: '内容尚未保存，确定放弃修改吗？', ok: '放弃修改' })
}

/** Closes a form of which somebody has typed something only when he says so; `typed`: the form itself, or whether anything was. */
export function leaving(typed: boolean | Pick<FormInstance, 'isFieldsTouched'>, close: () => void): () => void {
  const leave = async () => {
    const is_typed = typeof typed === 'boolean' ? typed : typed.isFieldsTouched()
    if (!is_typed || (await mayDiscard())) close()
  }
  return () => void leave()
}

/** What a refusal says, with the sentences of what was wrong in the input; a broken connection has no words of its own. */
export function sentenceOf(cause: unknown): string {
  if (!(cause instanceof CallError) || cause.message === '') return '网络异常，请检查网络后重试'
  const wrong = vague.includes(cause.error_id) ? [...new Set(cause.errors.map(({ msg }) => msg))] : []
  return wrong.length === 0 ? cause.message : `${cause.message}（${wrong.slice(0, most_told).join('；')}）`
}
