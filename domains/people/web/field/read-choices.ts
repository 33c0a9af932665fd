import { field_scenes, fieldApi, sensitive_level } from '@campus/people/contract'
import type { FieldFacet } from '@campus/people/contract'
import { call } from '@kit/web'
import type { FieldChoice } from './field-choice.ts'

/** The fields the list of a facet offers, in their order; nobody filters by a sensitive value. */
export async function readChoices(facet: FieldFacet): Promise<FieldChoice[]> {
  const { list } = await call(fieldApi.list, { field_scene: field_scenes[facet] }, { quiet: true })
  return list.filter(field => !field.archived && field.in_index).map(({ field_code, label, options, level }) => ({ field_code, label, options: level === sensitive_level ? [] : (options ?? []) }))
}
