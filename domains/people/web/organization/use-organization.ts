import { deptApi, deptEditApi, deptStaffApi, staffApi, studentApi } from '@campus/people/contract'
import type { BoardGrade, DeptTreeNode } from '@campus/people/contract'
import { call, readStored, sentenceOf, usePage } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Side } from './dept-place.ts'

const KEPT_MS = 60_000

/** Key of a tree with counts; the same that other pages of people keep it under. */
export const treeKey = (side: Side, on?: string) => ['dept-tree', side, on ?? '']

/** A tree of a day (default today) with counts. */
export async function readTree(side: Side, on?: string): Promise<DeptTreeNode[]> {
  return (await call(deptApi.tree, { tree: side, with_count: '1', on }, { quiet: true })).list
}

/** The structure of a day as it was read. `failed` is a sentence for the user; `grades` stay while another day is fetched. */
export type Organization = { tree: DeptTreeNode[] | undefined; grades: BoardGrade[] | undefined; failed: string | null; retry: () => void }

/** Reads tree and board of a day (default today). */
export function useOrganization(on: string | undefined): Organization {
  const { active } = usePage()
  const tree = useQuery({ queryKey: treeKey('student', on), queryFn: () => readTree('student', on), enabled: active, staleTime: KEPT_MS })
  const board = useQuery({
    queryKey: [deptEditApi.treeByGrade.call, on ?? ''],
    queryFn: async ({ signal }) => (await call(deptEditApi.treeByGrade, { on }, { quiet: true, signal })).list,
    enabled: active,
    staleTime: KEPT_MS,
  })
  const error = tree.data && board.data ? null : (tree.error ?? board.error)
  const retry = () => {
    void tree.refetch()
    void board.refetch()
  }
  return { tree: tree.data, grades: board.data, failed: error ? sentenceOf(error) : null, retry }
}

/** The days on which the student tree changed, past and scheduled. */
export function useChangeDays(): { day: string; changes: number }[] | undefined {
  const { active } = usePage()
  const { data } = useQuery({
    queryKey: [deptEditApi.days.call],
    queryFn: async ({ signal }) => (await call(deptEditApi.days, { tree: 'student' }, { quiet: true, signal })).list,
    enabled: active,
    staleTime: KEPT_MS,
  })
  return data
}

/** After a write everything that shows departments is read again: board, trees, days, and the labels in lists. */
export function useRefresh(): () => Promise<unknown> {
  const client = useQueryClient()
  return useCallback(async () => {
    const again = (keys: readonly string[]) => Promise.all(keys.map(key => client.invalidateQueries({ queryKey: [key] })))
    // Trees first: a list that stands beside a department which is gone is not asked for again.
    await again([deptEditApi.treeByGrade.call, deptEditApi.days.call, deptStaffApi.staffBoard.call, 'dept-tree', 'tree'])
    await again([studentApi.list.call, staffApi.list.call])
  }, [client])
}

/** The school of the session, as the paths of the department calls want it. */
export function ownSchool(): number {
  return Number(readStored('school_id'))
}
