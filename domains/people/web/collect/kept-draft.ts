/** What was typed into a form, by field code. */
export type Typed = Readonly<Record<string, string>>
type Whose = { task_id: string; user_id: string }

const name = ({ task_id, user_id }: Whose) => `campus_collect_${task_id}_${user_id}`

/** What was typed before and not sent yet; a browser that keeps nothing begins anew. */
export function readTyped(whose: Whose): Typed {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(name(whose)) ?? '{}')
    if (typeof kept !== 'object' || kept === null) return {}
    return Object.fromEntries(Object.entries(kept).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
  } catch {
    return {}
  }
}

/** Keeps what is typed in this tab until it is sent; null forgets it. */
export function keepTyped(whose: Whose, typed: Typed | null): void {
  try {
    if (typed === null) sessionStorage.removeItem(name(whose))
    else sessionStorage.setItem(name(whose), JSON.stringify(typed))
  } catch {
    // A browser that keeps nothing: the form itself still has the text.
  }
}
