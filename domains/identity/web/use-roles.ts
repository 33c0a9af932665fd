import { roleApi, sessionApi } from '@campus/identity/contract'
import type { RoleGroupRow, RoleRow } from '@campus/identity/contract'
import { call, useCan, usePage } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { z } from 'zod'

export type RoleGroup = z.output<typeof RoleGroupRow>

/** Every role of the school, in the order of its groups. */
export function useRoles(): UseQueryResult<RoleRow[]> {
  const { active } = usePage()
  const allowed = useCan(roleApi.list)
  return useQuery({ queryKey: [roleApi.list.call], queryFn: async ({ signal }) => (await call(roleApi.list, {}, { signal, quiet: true })).list, enabled: active && allowed })
}

/** The role groups of the school, in their order. */
export function useRoleGroups(): UseQueryResult<RoleGroup[]> {
  const { active } = usePage()
  return useQuery({ queryKey: [sessionApi.roleGroups.call], queryFn: async ({ signal }) => (await call(sessionApi.roleGroups, {}, { signal, quiet: true })).list, enabled: active })
}

/** Reads roles and groups again after a change. */
export function useRolesChanged(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(async () => {
    await Promise.all([roleApi.list, sessionApi.roleGroups].map(({ call: name }) => client.invalidateQueries({ queryKey: [name] })))
  }, [client])
}
