import { userDeleteApi } from '@campus/people/contract'
import type { DeleteBatchRow, DeleteDetailRow } from '@campus/people/contract'
import { call, confirmDanger, toast } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'

/** What may be done with a batch. */
export type BatchActs = {
  refresh: () => void
  /** takes one person off the list, or all of them */
  cancel: (batch: DeleteBatchRow, row?: DeleteDetailRow) => Promise<void>
  retry: (batch: DeleteBatchRow) => Promise<void>
}

/** Cancels and tries again, and reads the page again afterwards; a refusal is shown as a message. */
export function useBatchActs(): BatchActs {
  const client = useQueryClient()
  const refresh = () => {
    for (const key of [userDeleteApi.batches.call, userDeleteApi.details.call]) void client.invalidateQueries({ queryKey: [key] })
  }
  const act = async (change: () => Promise<unknown>, done: string) => {
    try {
      await change()
      toast.success(done)
    } catch {
      // The refusal is on the screen already.
    }
    refresh()
  }
  return {
    refresh,
    cancel: async ({ batch_no, counts }, row) => {
      const people = row ? row.user_name : `${(counts.holding ?? 0) + (counts.blocked ?? 0) + (counts.checking ?? 0)} 人`
      if (!(await confirmDanger({ title: `取消删除 ${people}？`, touches: '取消后这些人员的资料保持原样，需要时可重新申请删除。', ok: '取消删除' }))) return
      await act(() => call(userDeleteApi.cancel, { no: batch_no, ...(row ? { user_ids: [row.user_id] } : {}) }), '已取消删除')
    },
    retry: ({ batch_no }) => act(() => call(userDeleteApi.retry, { no: batch_no }), '已重新检查'),
  }
}
