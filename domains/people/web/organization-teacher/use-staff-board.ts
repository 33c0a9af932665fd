import { delegateApi, deptStaffApi } from '@campus/people/contract'
import type { DelegationRow, DeptTreeNode, StaffDept } from '@campus/people/contract'
import { call, sentenceOf, useCan, usePage } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readTree, treeKey } from '../organization/use-organization.ts'

const KEPT_MS = 60_000
/** Delegations in force that are looked at; a school has a handful. */
const most_delegations = 200

/** Who acts for a department until when. */
export type Acting = Pick<DelegationRow, 'to_user_name' | 'valid_to'>
/** The staff tree of today with leaders, own people, and delegations in force by department. */
export type StaffBoard = {
  tree: DeptTreeNode[] | undefined
  depts: ReadonlyMap<string, StaffDept> | undefined
  acting: ReadonlyMap<string, readonly Acting[]>
  failed: string | null
  retry: () => void
}

/** Reads what the page of the staff organisation shows. */
export function useStaffBoard(): StaffBoard {
  const { active } = usePage()
  const sees_delegations = useCan(delegateApi.list)
  const tree = useQuery({ queryKey: treeKey('staff'), queryFn: () => readTree('staff'), enabled: active, staleTime: KEPT_MS })
  const board = useQuery({
    queryKey: [deptStaffApi.staffBoard.call],
    queryFn: async ({ signal }) => (await call(deptStaffApi.staffBoard, {}, { quiet: true, signal })).list,
    enabled: active,
    staleTime: KEPT_MS,
  })
  const live = useQuery({
    queryKey: [delegateApi.list.call, 'live'],
    queryFn: async ({ signal }) => (await call(delegateApi.list, { state: 'live', page_index: 1, page_size: most_delegations }, { quiet: true, signal })).list,
    enabled: active && sees_delegations,
  })
  const error = tree.data && board.data ? null : (tree.error ?? board.error)
  const retry = () => {
    void tree.refetch()
    void board.refetch()
  }
  const depts = useMemo(() => board.data && new Map(board.data.map(dept => [dept.id, dept])), [board.data])
  const acting = useMemo(() => Map.groupBy(live.data ?? [], row => row.dept_id), [live.data])
  return { tree: tree.data, depts, acting, failed: error ? sentenceOf(error) : null, retry }
}
