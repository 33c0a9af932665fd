import { remarkApi } from '@campus/people/contract'
import { call } from '@kit/web'
import type { RemarkChoice } from './remark-choice.ts'

const cohorts = [2, 3, 4]

/** The remark fields in use that classes, or what stands above them, may have. */
export async function readChoices(): Promise<RemarkChoice[]> {
  const { list } = await call(remarkApi.config, {}, { quiet: true })
  return list.filter(field => !field.archived && field.applies_to.some(type => cohorts.includes(type))).map(({ id, label, options }) => ({ id, label, options }))
}
