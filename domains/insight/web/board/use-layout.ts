import { dashboardApi } from '@campus/insight/contract'
import type { DashboardLayout } from '@campus/insight/contract'
import type { CardFact, Placed } from '@kit/contract'
import { call, confirmDanger, mayDiscard, sentenceOf, toast, usePage } from '@kit/web'
import { settled, usualLayout } from '@kit/web/dashboard'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

const route = 3

/** The person's dashboard: what stands there, and the draft while it is being arranged. */
export type OwnLayout = {
  layout: DashboardLayout | undefined
  items: readonly Placed[]
  failure: string | null
  retry: () => void
  /** undefined while nobody arranges anything */
  draft: readonly Placed[] | undefined
  dirty: boolean
  busy: boolean
  refused: string | null
  start: () => void
  change: (items: Placed[]) => void
  cancel: () => Promise<void>
  save: () => Promise<void>
  reset: () => Promise<void>
}

/** Reads, arranges and keeps the layout; a refused save leaves the draft as it is. */
export function useLayout(facts: readonly CardFact[]): OwnLayout {
  const { active } = usePage()
  const client = useQueryClient()
  const [draft, setDraft] = useState<readonly Placed[]>()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const queryKey = [dashboardApi.layout.call, route]
  const { data, error, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => call(dashboardApi.layout, { route: '3' }, { signal, quiet: true }), enabled: active, refetchOnWindowFocus: draft === undefined })
  const items = data && data.source !== 'usual' ? settled(data.items) : usualLayout(facts.filter(({ boards }) => boards.includes('cus')))
  const dirty = draft !== undefined && JSON.stringify(draft) !== JSON.stringify(items)
  const send = async (work: () => Promise<DashboardLayout>, done: string) => {
    setBusy(true)
    setRefused(null)
    try {
      client.setQueryData(queryKey, await work())
      setDraft(undefined)
      toast.success(done)
    } catch (cause) {
      setRefused(sentenceOf(cause))
    } finally {
      setBusy(false)
    }
  }
  return {
    layout: data, items, draft, dirty, busy, refused,
    failure: data === undefined && error ? sentenceOf(error) : null,
    retry: () => void refetch(),
    start: () => setDraft(items),
    change: setDraft,
    cancel: async () => {
      if (dirty && !(await mayDiscard())) return
      setRefused(null)
      setDraft(undefined)
    },
    save: () => send(() => call(dashboardApi.save, { route, items: [...(draft ?? items)] }, { quiet: true }), '布局已保存'),
    reset: async () => {
      if (await confirmDanger({ title: '确定恢复默认布局吗？', touches: '您自己调整的布局将被清除，改为显示发布给您的布局或系统默认布局', ok: '恢复默认' })) await send(() => call(dashboardApi.reset, { route }, { quiet: true }), '已恢复默认布局')
    },
  }
}
