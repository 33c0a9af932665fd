import { appRoleApi, appRoleGroupApi } from '@campus/identity/contract'
import type { AppKind, AppRoleRow, AppRoleView } from '@campus/identity/contract'
import type { Reply } from '@kit/contract'
import { call, usePage } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'

/** Every app role of a kind, in the order of the groups. */
export function useAppRoles(client_kind: AppKind): UseQueryResult<AppRoleRow[]> {
  const { active } = usePage()
  return useQuery({ queryKey: [appRoleApi.list.call, client_kind], queryFn: async ({ signal }) => (await call(appRoleApi.list, { client_kind }, { signal, quiet: true })).list, enabled: active })
}

/** One role with its bindings. */
export function useAppRole(id: string | undefined): UseQueryResult<AppRoleView> {
  const { active } = usePage()
  return useQuery({ queryKey: [appRoleApi.one.call, id], queryFn: ({ signal }) => call(appRoleApi.one, { id: id ?? '' }, { signal, quiet: true }), enabled: active && id !== undefined })
}

/** The groups of a kind and the modules its client may show. */
export function useAppGroups(client_kind: AppKind): UseQueryResult<Reply<typeof appRoleGroupApi.list>> {
  const { active } = usePage()
  return useQuery({ queryKey: [appRoleGroupApi.list.call, client_kind], queryFn: ({ signal }) => call(appRoleGroupApi.list, { client_kind }, { signal, quiet: true }), enabled: active })
}

/** Reads roles, groups and whom they reach again after a change. */
export function useAppRolesChanged(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(async () => {
    await Promise.all([appRoleApi.list, appRoleApi.one, appRoleApi.reach, appRoleGroupApi.list].map(({ call: name }) => client.invalidateQueries({ queryKey: [name] })))
  }, [client])
}
