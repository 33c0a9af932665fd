import { mergeApi, MergePreview, mergeRunApi, parentApi, personApi, studentApi } from '@campus/people/contract'
import type { MergeField } from '@campus/people/contract'
import { call, CallError } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { peoplePorts } from '../ports.ts'

export type Side = MergeField['proposed']
export type Choices = Readonly<Record<string, Side>>
export type PairOf = { keep: string; drop: string }

const Changed = z.object({ preview: MergePreview })

/** Two people beside each other, what was chosen of them, and the merge itself. */
export function useMergePair(pair: PairOf) {
  const client = useQueryClient()
  const key = [mergeApi.preview.call, pair.keep, pair.drop]
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => call(mergeApi.preview, pair, { signal, quiet: true }), gcTime: 0, retry: false })
  const [chosen, setChosen] = useState<Choices>({})
  const refresh = useRefreshMerges()
  const merge = async (password: string): Promise<string> => {
    if (!query.data) throw new Error('nothing to merge')
    const { kind, plan_hash } = query.data
    const recheck_token = await peoplePorts().recheck(password)
    const done = await call(mergeRunApi[kind], { ...pair, chosen, plan_hash, recheck_token }, { quiet: true }).catch((cause: unknown) => {
      const data = cause instanceof CallError ? Changed.safeParse(cause.data) : null
      if (data?.success) client.setQueryData(key, data.data.preview)
      throw cause
    })
    refresh()
    return done.merge_id
  }
  return { query, chosen, choose: (code: string, side: Side) => setChosen(before => ({ ...before, [code]: side })), merge }
}

/** Everything on the screen that shows people is read again. */
export function useRefreshMerges(): () => void {
  const client = useQueryClient()
  return () => {
    for (const key of [mergeApi.cases.call, mergeApi.log.call, studentApi.list.call, parentApi.list.call, personApi.detail.call, 'dept-tree', 'tree']) void client.invalidateQueries({ queryKey: [key] })
  }
}
