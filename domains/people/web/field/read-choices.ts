import { fieldApi, sensitive_level } from '@campus/people/contract'
import { call } from '@kit/web'
import type { FieldChoice } from './field-choice.ts'

/** The fields the roll offers, in their order; nobody filters by a sensitive value. */
export async function readChoices(): Promise<FieldChoice[]> {
  const { list } = await call(fieldApi.list, { field_scene: 1 }, { quiet: true })
  return list.filter(field => !field.archived && field.in_index).map(({ field_code, label, options, level }) => ({ field_code, label, options: level === sensitive_level ? [] : (options ?? []) }))
}
