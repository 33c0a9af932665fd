import type { RoleRow } from '@campus/identity/contract'
import { usePage } from '@kit/web'
import type { Fields, ResourceList } from '@kit/web'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { Key } from 'react'

/** The roles as a list of the kit: all of them came with one answer, so there is one page. */
export function useRoleList<Name extends string>({ query, rows, fields }: { query: UseQueryResult<RoleRow[]>; rows: RoleRow[]; fields: Fields<RoleRow, Name> }): ResourceList<RoleRow, Name> {
  const { path, search, setSearch } = usePage()
  const [selected, select] = useState<Key[]>([])
  return {
    fields,
    home: path,
    rows,
    total: rows.length,
    page_index: 1,
    page_size: Math.max(1, rows.length),
    values: search.keyword ? { keyword: search.keyword } : {},
    loading: query.isFetching,
    first: query.data === undefined,
    error: query.error,
    selected,
    select,
    filterBy: patch => setSearch(withPatch(search, patch)),
    goTo: () => undefined,
    refresh: () => query.refetch(),
  }
}

function withPatch(search: Readonly<Record<string, string>>, patch: Record<string, string | undefined>): Record<string, string> {
  const next: Record<string, string> = {}
  for (const [name, value] of Object.entries({ ...search, ...patch })) if (value) next[name] = value
  return next
}
