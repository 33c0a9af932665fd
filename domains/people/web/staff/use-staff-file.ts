import { changeApi, deptApi, staffApi, staffFileApi } from '@campus/people/contract'
import type { StaffFile } from '@campus/people/contract'
import { call, CallError } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'

/** The file of a member of staff; with `once` it stays as it was read, so that a form keeps its ground. */
export function useStaffFile(user_id: string | undefined, { once = false } = {}): { file: StaffFile | undefined; failed: string | null; refresh: () => void } {
  const query = useQuery({
    queryKey: once ? ['staff-file-edit', user_id] : [staffFileApi.detail.call, user_id],
    queryFn: ({ signal }) => call(staffFileApi.detail, { user_id: user_id ?? '' }, { signal, quiet: true }),
    enabled: user_id !== undefined,
    ...(once ? { staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false } : {}),
  })
  const failed = query.error instanceof CallError ? query.error.msg || '网络异常，请稍后重试' : query.error ? '加载失败' : null
  return { file: query.data, failed: query.data ? null : failed, refresh: () => void query.refetch() }
}

/** Everything on the screen that shows staff is read again. */
export function useRefreshStaff(): () => void {
  const client = useQueryClient()
  return () => {
    for (const key of [staffApi.list.call, staffFileApi.detail.call, changeApi.page.call, changeApi.detail.call, deptApi.tree.call, 'dept-tree', 'tree']) {
      void client.invalidateQueries({ queryKey: [key] })
    }
  }
}
