import { fieldApi } from '@campus/people/contract'
import { call } from '@kit/web'
import { useQuery } from '@tanstack/react-query'

const pupil_scene = 1

/** The custom fields of pupils, archived ones last. */
export function useFields({ enabled = true } = {}) {
  return useQuery({ queryKey: [fieldApi.list.call, pupil_scene], queryFn: async ({ signal }) => (await call(fieldApi.list, { field_scene: pupil_scene }, { signal, quiet: true })).list, enabled })
}
