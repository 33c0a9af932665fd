import { post_state } from '@campus/publishing/contract'
import type { PostAct } from '@campus/publishing/contract'

/** Where a post stands, and whose it is. */
export type Stage = { state: number; created_by: string }
type Actor = { user_id: string; codes: ReadonlySet<string> }

const { draft, waiting, sent, recalled, cancelled, expired, rejected, planned } = post_state

/** Acts of each state, with the verb of the permission (chapter 60 §2.1). */
const acts: readonly (readonly [act: PostAct, verb: string, states: readonly number[]])[] = [
  ['edit', 'edit', [draft, rejected, sent]],
  ['publish', 'publish', [draft, rejected]],
  ['approve', 'approve', [waiting]],
  ['cancel', 'publish', [waiting, planned]],
  ['recall', 'publish', [sent, expired]],
  ['republish', 'publish', [recalled, cancelled, expired]],
  ['remind', 'remind', [sent]],
  ['delete', 'edit', [draft, cancelled, rejected]],
]

/** What the acting identity may do with a post now; the guards of the statements decide. */
export function actsOf({ user_id, codes }: Actor, noun: string, { state, created_by }: Stage): PostAct[] {
  return acts.flatMap(([act, verb, states]) => {
    const is_foreign = act === 'approve' ? created_by === user_id : act === 'edit' && created_by !== user_id
    return states.includes(state) && codes.has(`${noun}.${verb}`) && !is_foreign ? [act] : []
  })
}
