import { freshmenApi } from '@campus/people/contract'
import type { FreshmanRow, FreshmanState } from '@campus/people/contract'
import { call, sentenceOf, toast, useSettled } from '@kit/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useFreshmenChanged } from './use-seasons.ts'

const page_size = 100

/** The list of a reviewer: what is asked, which one he looks at, which ones he has marked, and what he decides. */
export type Review = {
  query: UseQueryResult<{ list: FreshmanRow[]; total: number }>
  state: FreshmanState
  setState: (state: FreshmanState) => void
  text: string
  setText: (text: string) => void
  page_index: number
  goTo: (page_index: number) => void
  chosen: FreshmanRow | null
  choose: (id: string) => void
  walk: (step: 1 | -1) => void
  marked: readonly string[]
  mark: (ids: readonly string[]) => void
  busy: boolean
  pass: (ids: readonly string[]) => Promise<void>
  refuse: (ids: readonly string[], reason: string) => Promise<boolean>
}

/** The applications of a season for review; after a decision the next one is looked at. */
export function useReview(season_id: string): Review {
  const [state, setState] = useState<FreshmanState>('1')
  const [text, setText] = useState('')
  const [page_index, goTo] = useState(1)
  const [chosen_id, choose] = useState<string | null>(null)
  const [marked, mark] = useState<readonly string[]>([])
  const [busy, setBusy] = useState(false)
  const changed = useFreshmenChanged()
  const keyword = useSettled(text)
  const asked = { season_id, state, page_index, page_size, ...(keyword === '' ? {} : { keyword }) }
  const query = useQuery({ queryKey: [freshmenApi.page.call, asked], queryFn: ({ signal }) => call(freshmenApi.page, asked, { signal, quiet: true }), placeholderData: keepPreviousData })
  const list = query.data?.list ?? []
  const at = list.findIndex(row => row.id === chosen_id)
  const decide = async (ids: readonly string[], act: () => Promise<unknown>, done: string) => {
    setBusy(true)
    const rest = list.filter(row => !ids.includes(row.id))
    try {
      await act()
      toast.success(done)
      mark([])
      choose((rest[Math.min(at < 0 ? 0 : at, rest.length - 1)] ?? null)?.id ?? null)
      await changed()
      return true
    } catch (cause) {
      toast.warning(sentenceOf(cause))
      return false
    } finally {
      setBusy(false)
    }
  }
  const again = () => { goTo(1); mark([]); choose(null) }
  return {
    query, state, text, page_index, goTo, marked, mark, busy, choose,
    setState: next => { setState(next); again() },
    setText: next => { setText(next); again() },
    chosen: list[at] ?? list[0] ?? null,
    walk: step => choose(list[Math.min(Math.max((at < 0 ? 0 : at) + step, 0), list.length - 1)]?.id ?? null),
    pass: async ids => void (busy || (await decide(ids, () => call(freshmenApi.review, { ids: [...ids], verdict: 'pass' }, { quiet: true }), `已通过 ${ids.length} 条`))),
    refuse: (ids, reason) => decide(ids, () => call(freshmenApi.review, { ids: [...ids], verdict: 'refuse', reason }, { quiet: true }), `已驳回 ${ids.length} 条`),
  }
}
