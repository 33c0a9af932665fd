import { navigationApi, navSettingApi } from '@campus/school/contract'
import type { NavTree } from '@campus/school/contract'
import { call, CallError, mayDiscard, sentenceOf, toast } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { schoolPorts } from '../ports.ts'
import { differences, draftOf, nodesOf } from './nav-model.ts'
import type { Draft } from './nav-model.ts'

const conflict = 409

/** The menu while it is being changed. `stale`: somebody else has saved meanwhile, and the person has to decide. */
export type NavDraft = {
  draft: Draft
  changes: number
  busy: boolean
  refused: string | null
  stale: boolean
  set: (draft: Draft) => void
  save: () => Promise<void>
  discard: () => Promise<void>
  /** after `stale`: take what the other has saved, or put one's own over it */
  takeTheirs: () => Promise<void>
  keepMine: () => Promise<void>
  later: () => void
}

/** Changes the menu as a draft, which is saved whole; a refused save leaves the draft as it is. */
export function useNavDraft(tree: NavTree, refresh: () => Promise<unknown>): NavDraft {
  const client = useQueryClient()
  const [own, setOwn] = useState<{ base: NavTree; draft: Draft }>()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const [stale, setStale] = useState(false)
  const base = own?.base ?? tree
  const draft = own?.draft ?? draftOf(tree)
  const send = async (nav_version: number) => {
    setBusy(true)
    setRefused(null)
    try {
      const saved = await call(navSettingApi.save, { nav_version, nodes: nodesOf(draft) }, { quiet: true })
      client.setQueryData([navSettingApi.read.call, {}], saved)
      setOwn(undefined)
      toast.success('设置成功')
      await Promise.all([client.invalidateQueries({ queryKey: [navigationApi.list.call] }), schoolPorts().menuChanged()])
    } catch (cause) {
      if (cause instanceof CallError && cause.status === conflict) setStale(true)
      else setRefused(sentenceOf(cause))
    } finally {
      setBusy(false)
    }
  }
  return {
    draft, busy, refused, stale,
    changes: own ? differences(base, draft) : 0,
    set: next => setOwn({ base, draft: next }),
    save: () => send(base.nav_version),
    discard: async () => {
      if (await mayDiscard()) setOwn(undefined)
    },
    takeTheirs: async () => {
      setStale(false)
      setOwn(undefined)
      await refresh()
    },
    keepMine: async () => {
      setStale(false)
      const newest = await call(navSettingApi.read, {}, { quiet: true }).catch(() => undefined)
      if (newest) await send(newest.nav_version)
      else setRefused('网络异常，请检查网络后重试')
    },
    later: () => setStale(false),
  }
}
