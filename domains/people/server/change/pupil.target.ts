import { move_kinds } from '@campus/people/contract'
import type { ClassMove, PupilChange } from '@campus/people/contract'

/** Does the command only change the class? */
export function isMove(draft: PupilChange): draft is ClassMove {
  return move_kinds.some(kind => kind === draft.kind)
}

/** The class a command puts a pupil into; null where it names none. */
export function targetOf(draft: PupilChange, user_id: string): string | null {
  if (isMove(draft) || draft.kind === 'RESUME' || draft.kind === 'RETURN') return draft.subjects.find(subject => subject.user_id === user_id)?.to_dept_id ?? null
  return null
}

/** Every class that a command names to come to, once. */
export function targetsOf(draft: PupilChange): string[] {
  return [...new Set(draft.subjects.flatMap(({ user_id }) => targetOf(draft, user_id) ?? []))]
}
