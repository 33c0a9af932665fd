import { field_scenes, fieldApi } from '@campus/people/contract'
import type { FieldFacet } from '@campus/people/contract'
import { call } from '@kit/web'
import { useQuery } from '@tanstack/react-query'

/** The custom fields of a facet, archived ones last. */
export function useFields(facet: FieldFacet, { enabled = true } = {}) {
  return useQuery({ queryKey: fieldsKey(facet), queryFn: async ({ signal }) => (await call(fieldApi.list, { field_scene: field_scenes[facet] }, { signal, quiet: true })).list, enabled })
}

/** Names what `useFields` keeps. */
export function fieldsKey(facet: FieldFacet): readonly string[] {
  return [fieldApi.list.call, facet]
}
