import { api, Done, get, Instant, post } from '@kit/contract'
import { z } from 'zod'

/**
 * One step of setting a school up, as it stands now. `next`: the first that is not done; `later`: those after it; `unbuilt`: its page comes with a
 * later version, it stands here for the order alone.
 */
export const SetupStepView = z.object({
  code: z.string(),
  title: z.string(),
  /** why it stands at this place */
  why: z.string(),
  /** the page where it is done */
  path: z.string().nullable(),
  state: z.enum(['done', 'next', 'later', 'unbuilt']),
  /** what is there: 已建90个班级 */
  text: z.string(),
})
export type SetupStepView = z.output<typeof SetupStepView>

export const SetupList = z.object({
  list: z.array(SetupStepView),
  /** of the steps that can be taken */
  done: z.number().int(),
  total: z.number().int(),
  /** who put the list away for the school, and when */
  hidden: z.object({ by: z.string(), at: Instant }).nullable(),
})
export type SetupList = z.output<typeof SetupList>

/** Setting a school up in the right order; only the steps that the identity may take. */
export const setupApi = api('core', 'school.setup', {
  list: get('setup/list', { reply: SetupList, session: true, within: 'school' }),
  hide: post('setup/hide', { body: z.strictObject({ hidden: z.boolean() }), reply: Done, session: true, within: 'school', op: 4 }),
})
