import { appRoleApi } from '@campus/identity/contract'
import type { ReachReply, ReachRow, ReachWay } from '@campus/identity/contract'
import { call, usePage } from '@kit/web'
import type { Fields, ResourceList } from '@kit/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PeopleDraft } from './use-people-draft.ts'

const page_size = 20
export type ReachField = 'user_name' | 'user_no' | 'dept_name' | 'ways'
type Asked = { way?: ReachWay; keyword?: string; page_index: number }
/** Whom a draft reaches: the figures, and the people as a list of the kit. Its page stands in no address, since it is about what nobody has saved. */
export type Reach = { reply: ReachReply | undefined; is_fresh: boolean; list: ResourceList<ReachRow, ReachField>; ask: (asked: Partial<Asked>) => void; asked: Asked }

/** Asks whenever the draft or the question changes. */
export function useReach(query: PeopleDraft['query'], fields: Fields<ReachRow, ReachField>): Reach {
  const { path, active } = usePage()
  const [asked, setAsked] = useState<Asked>({ page_index: 1 })
  const [size, setSize] = useState(page_size)
  const input = { ...query, ...asked, page_size: size }
  const answer = useQuery({
    queryKey: [appRoleApi.reach.call, input],
    queryFn: ({ signal }) => call(appRoleApi.reach, input, { signal, quiet: true }),
    placeholderData: keepPreviousData,
    enabled: active,
  })
  const list: ResourceList<ReachRow, ReachField> = {
    fields,
    home: `${path}/reach`,
    rows: answer.data?.list ?? [],
    total: answer.data?.total ?? 0,
    page_index: asked.page_index,
    page_size: size,
    values: {},
    loading: answer.isFetching,
    first: answer.data === undefined,
    error: answer.error,
    selected: [],
    select: () => undefined,
    filterBy: () => undefined,
    goTo: (page_index, next) => {
      setSize(next)
      setAsked(before => ({ ...before, page_index }))
    },
    refresh: () => answer.refetch(),
  }
  return { reply: answer.data, is_fresh: answer.data !== undefined && !answer.isPlaceholderData, list, asked, ask: more => setAsked(before => ({ ...before, page_index: 1, ...more })) }
}
