import { personApi } from '@campus/people/contract'
import type { PersonFile } from '@campus/people/contract'
import { call, CallError } from '@kit/web'
import { useQuery } from '@tanstack/react-query'

/** `read_at` changes with every answer, also with one that says the same. */
export type FileQuery = { file: PersonFile | undefined; failed: string | null; read_at: number; refresh: () => void }

/** The file of a pupil; with `once` it stays as it was read until `refresh`, so that a form keeps its ground. */
export function useFile(user_id: string | undefined, { once = false } = {}): FileQuery {
  const query = useQuery({
    queryKey: once ? ['student-file-edit', user_id] : [personApi.detail.call, user_id],
    queryFn: ({ signal }) => call(personApi.detail, { id: user_id ?? '' }, { signal, quiet: true }),
    enabled: user_id !== undefined,
    ...(once ? { staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false } : {}),
  })
  const failed = query.error instanceof CallError ? query.error.msg || '网络异常，请稍后重试' : query.error ? '加载失败' : null
  return { file: query.data, failed: query.data ? null : failed, read_at: query.dataUpdatedAt, refresh: () => void query.refetch() }
}
