import { tagApi } from '@campus/people/contract'
import { call } from '@kit/web'
import type { TagChoice } from './tag-choice.ts'

/** The tags in use, in their order. */
export async function readChoices(): Promise<TagChoice[]> {
  const { list } = await call(tagApi.list, {}, { quiet: true })
  return list.filter(tag => !tag.archived).map(({ id, tag_name, color, kind, person_kinds }) => ({ value: id, label: tag_name, color, kind, person_kinds }))
}
