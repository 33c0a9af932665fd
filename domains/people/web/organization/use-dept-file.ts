import { deptEditApi } from '@campus/people/contract'
import type { DeptFile } from '@campus/people/contract'
import { call, sentenceOf } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { ownSchool } from './use-organization.ts'

/** Reads one department with its history. */
export function readDept(id: string): Promise<DeptFile> {
  return call(deptEditApi.detail, { school_id: ownSchool(), id }, { quiet: true })
}

/** A department as it was when its form was opened; it stays so until `refresh`. */
export function useDeptFile(id: string | undefined): { file: DeptFile | undefined; failed: string | null; read_at: number; refresh: () => void } {
  const query = useQuery({
    queryKey: ['dept-edit', id],
    queryFn: () => readDept(id ?? ''),
    enabled: id !== undefined,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return { file: query.data, failed: query.data || !query.error ? null : sentenceOf(query.error), read_at: query.dataUpdatedAt, refresh: () => void query.refetch() }
}
