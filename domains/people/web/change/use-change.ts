import { changeApi, ChangePreview, deptApi, personApi, studentApi } from '@campus/people/contract'
import type { ChangeDraft, ChangeReceipt } from '@campus/people/contract'
import { call, CallError } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { sentenceOf } from '../refused.ts'

/** A command on its way: filled in, looked at, done. Going back keeps what was typed. */
export type ChangeRun = {
  preview: ChangePreview | null
  receipt: ChangeReceipt | null
  /** the sentence of the last refusal */
  refused: string | null
  busy: boolean
  look: (draft: ChangeDraft) => Promise<void>
  apply: () => Promise<void>
  back: () => void
  undo: (reason: string) => Promise<void>
}

const Changed = z.object({ preview: ChangePreview })

/** Runs one command: preview, apply what was previewed, take it back. */
export function useChange(): ChangeRun {
  const refresh = useRefreshChanges()
  const [draft, setDraft] = useState<ChangeDraft | null>(null)
  const [preview, setPreview] = useState<ChangePreview | null>(null)
  const [receipt, setReceipt] = useState<ChangeReceipt | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const run = async (act: () => Promise<void>) => {
    setBusy(true)
    setRefused(null)
    try {
      await act()
    } catch (cause) {
      const fresh = changedPreview(cause)
      if (fresh) setPreview(fresh)
      setRefused(sentenceOf(cause))
    } finally {
      setBusy(false)
    }
  }
  const written = (next: ChangeReceipt) => {
    setReceipt(next)
    refresh()
  }
  return {
    preview,
    receipt,
    refused,
    busy,
    look: next => run(async () => {
      setPreview(await call(changeApi.preview, { draft: next }, { quiet: true }))
      setDraft(next)
    }),
    apply: () => run(async () => {
      if (draft && preview) written(await call(changeApi.apply, { draft, plan_hash: preview.plan_hash }, { quiet: true }))
    }),
    back: () => {
      setPreview(null)
      setRefused(null)
    },
    undo: reason => run(async () => {
      if (receipt) written(await call(changeApi.undo, { id: receipt.command_id, reason }, { quiet: true }))
    }),
  }
}

/** Everything on the screen that shows where pupils are is read again. */
export function useRefreshChanges(): () => void {
  const client = useQueryClient()
  return () => {
    for (const key of [studentApi.list.call, personApi.detail.call, changeApi.page.call, changeApi.detail.call, deptApi.tree.call, 'dept-tree', 'tree']) {
      void client.invalidateQueries({ queryKey: [key] })
    }
  }
}

/** What is planned now, when it is no longer what was looked at, or when something stands in its way by now. */
function changedPreview(cause: unknown): ChangePreview | null {
  const data = cause instanceof CallError ? Changed.safeParse(cause.data) : null
  return data?.success ? data.data.preview : null
}
