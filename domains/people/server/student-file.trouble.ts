import type { FileNotice } from '@campus/people/contract'
import { peopleErrors } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Failure } from '@kit/contract'

/**
 * Whose mobile it is, and what the line says; both names masked (chapter 20 rule 16). Whoever may merge is told who the two are: `user_id` holds the
 * number, `mine_user_id` is the guardian of the line, if the school knows him.
 */
type Holder = { field: string; user_name: string; mine: string; user_id?: string; mine_user_id?: string }
/** Why a file cannot be saved: the refusal, the field it stands at, its sentence if another one, and who holds the number. */
export type Trouble = { failure: Failure; field: string; msg?: string; holder?: Holder }

/** A value that is wrong for itself. */
export function invalid(field: string, msg: string): Trouble {
  return { failure: commonErrors.invalid, field, msg }
}

/**
 * Refuses when there are troubles: all of them beside their fields, in the words of the first; `data.holders` names who has a mobile.
 * @throws Refusal of the first trouble
 */
export function refuseTroubles(troubles: readonly Trouble[]): void {
  const [first] = troubles
  if (!first) return
  const holders = troubles.flatMap(trouble => trouble.holder ?? [])
  const data = holders.length > 0 ? { holders } : {}
  throw fail(first.failure, { data, errors: troubles.map(({ field, msg, failure }) => ({ field, msg: msg ?? failure.msg })) })
}

/**
 * Warnings are no refusals, but somebody must have read them.
 * @throws Refusal 422 with `data.warnings` while one is not accepted
 */
export function refuseUnconfirmed(warnings: readonly FileNotice[], accepted: readonly string[] = []): void {
  const open = warnings.filter(({ field }) => !accepted.includes(field))
  if (open.length > 0) throw fail(peopleErrors.confirmNeeded, { data: { warnings: open } })
}
