import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { sentenceOf } from '../form/use-saving.ts'
import { confirmDanger } from '../parts/confirm-danger.ts'
import type { Question } from '../parts/confirm-danger.ts'
import { toast } from '../parts/toast.ts'

/** What surrounds one act: the question before it, the message after it, and the call that takes it back. */
export type ActOptions<T> = {
  /** asked before; the act does not happen without a yes */
  ask?: Question | false
  /** said afterwards, from what the act answered */
  done?: string | ((reply: T) => string | undefined)
  /** takes it back: 撤销 stands beside the message for ten seconds */
  undo?: (reply: T) => Promise<unknown>
}

/** One act at a time: `busy` while it travels. */
export type Act = {
  busy: boolean
  /** Answers what the act answered; undefined when it was not confirmed or was refused (the sentence has been shown). */
  act: <T>(run: () => Promise<T>, options?: ActOptions<T>) => Promise<T | undefined>
}

/**
 * Acts on a row or on many, outside a form (there: `useSaving`): asks, runs, says what came of it, reads the named calls again — after a refusal too.
 * Calls inside `run` are made with `{ quiet: true }`.
 * @param read calls whose answers the act changes
 * @param after also done afterwards: clears the selection, closes the drawer
 */
export function useAct(read: readonly { call: string }[] = [], after?: () => unknown): Act {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const running = useRef(false)
  const readAgain = () => Promise.all([...read.map(({ call }) => client.invalidateQueries({ queryKey: [call] })), after?.()])
  const travel = async <T>(run: () => Promise<T>, said: (reply: T) => void): Promise<T | undefined> => {
    if (running.current) return undefined
    running.current = true
    setBusy(true)
    try {
      const reply = await run()
      said(reply)
      return reply
    } catch (cause) {
      toast.warning(sentenceOf(cause))
      return undefined
    } finally {
      await readAgain()
      running.current = false
      setBusy(false)
    }
  }
  const act = async <T>(run: () => Promise<T>, { ask, done, undo }: ActOptions<T> = {}): Promise<T | undefined> => {
    if (ask && !(await confirmDanger(ask))) return undefined
    return travel(run, reply => {
      const text = typeof done === 'function' ? done(reply) : done
      if (text === undefined) return
      if (undo) toast.undo(text, () => void travel(() => undo(reply), () => toast.success('已撤销')))
      else toast.success(text)
    })
  }
  return { busy, act }
}
