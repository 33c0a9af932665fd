import { collectAnswerApi, collectReviewApi, collectTaskApi } from '@campus/people/contract'
import { call } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'

const quiet = { quiet: true }

/** Tasks of the school, the newest first. */
export function useTasks(page_index: number, page_size: number) {
  const asked = { page_index, page_size }
  return useQuery({ queryKey: [collectTaskApi.page.call, asked], queryFn: ({ signal }) => call(collectTaskApi.page, asked, { signal, ...quiet }), placeholderData: before => before })
}

/** One task by class. */
export function useStat(id: string) {
  return useQuery({ queryKey: [collectTaskApi.stat.call, id], queryFn: async ({ signal }) => (await call(collectTaskApi.stat, { id }, { signal, ...quiet })).list })
}

/** What a task of a scene may ask. */
export function useAskable(field_scene: number) {
  return useQuery({ queryKey: [collectTaskApi.fields.call, field_scene], queryFn: async ({ signal }) => (await call(collectTaskApi.fields, { field_scene }, { signal, ...quiet })).list })
}

/** Answers that wait for a decision, the oldest first. */
export function useWaiting(page_index: number, page_size: number) {
  const asked = { page_index, page_size }
  return useQuery({ queryKey: [collectReviewApi.waiting.call, asked], queryFn: ({ signal }) => call(collectReviewApi.waiting, asked, { signal, ...quiet }), placeholderData: before => before })
}

/** What waits for an answer of mine. */
export function useMine() {
  return useQuery({ queryKey: [collectAnswerApi.mine.call], queryFn: async ({ signal }) => (await call(collectAnswerApi.mine, {}, { signal, ...quiet })).list })
}

/** After a change tasks, their classes, answers and my own are read again. */
export function useCollectChanged(): () => void {
  const client = useQueryClient()
  return () => {
    for (const { call: name } of [collectTaskApi.page, collectTaskApi.stat, collectReviewApi.waiting, collectAnswerApi.mine]) void client.invalidateQueries({ queryKey: [name] })
  }
}
