import { aiRuleApi } from '@campus/devices/contract'
import type { AiCamera, AiRule } from '@campus/devices/contract'
import { call, useCan } from '@kit/web'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'

/** The cameras that a rule of a kind may look through. */
export function useValidCameras(warn_kind: AiRule['warn_kind'] | undefined) {
  return useQuery({
    queryKey: [aiRuleApi.valid_devices.call, warn_kind], enabled: warn_kind !== undefined, placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<AiCamera[]> => (warn_kind === undefined ? [] : (await call(aiRuleApi.valid_devices, { warn_kind }, { signal, quiet: true })).list),
  })
}

/** The roles that can be told. */
export function useAiRoles() {
  const enabled = useCan(aiRuleApi.roles)
  return useQuery({ queryKey: [aiRuleApi.roles.call], queryFn: async ({ signal }) => (await call(aiRuleApi.roles, {}, { signal, quiet: true })).list, enabled })
}

/** Boxes with their cameras. */
export function useBoxes() {
  return useQuery({ queryKey: [aiRuleApi.boxes.call], queryFn: async ({ signal }) => (await call(aiRuleApi.boxes, {}, { signal, quiet: true })).list, placeholderData: keepPreviousData })
}

/** Reads the rules again, and what is told of them elsewhere. */
export function useAiRulesChanged(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all([aiRuleApi.page, aiRuleApi.boxes].map(({ call: name }) => client.invalidateQueries({ queryKey: [name] })))
  }
}
