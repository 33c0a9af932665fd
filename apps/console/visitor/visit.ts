/** What the address asks for: a form behind a key, and whom it is about. */
export type Visit = { key: string; field_scene: number }

const teachers = 2

/** The public form in the address; null without a key. */
export function visitOf(search: string): Visit | null {
  const asked = new URLSearchParams(search)
  const key = asked.get('key')
  return key ? { key, field_scene: Number(asked.get('scene')) === teachers ? teachers : 1 } : null
}

/** Texts of a form by field. */
export type Draft = Readonly<Record<string, string>>

const name = ({ key, field_scene }: Visit) => `campus_visit_${key}_${field_scene}`

/** What was typed before and not sent yet; a browser that keeps nothing begins anew. */
export function readDraft(visit: Visit): Draft {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(name(visit)) ?? '{}')
    if (typeof kept !== 'object' || kept === null) return {}
    return Object.fromEntries(Object.entries(kept).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
  } catch {
    return {}
  }
}

/** Keeps what is typed until it is sent; null forgets it. */
export function keepDraft(visit: Visit, draft: Draft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(name(visit))
    else sessionStorage.setItem(name(visit), JSON.stringify(draft))
  } catch {
    // A full or forbidden store: the form itself still holds the text.
  }
}

/** The filled-in texts, line by line, to be copied where the form takes them no more. */
export function draftText(draft: Draft, labelOf: (code: string) => string): string {
  return Object.entries(draft).filter(([, text]) => text !== '').map(([code, text]) => `${labelOf(code)}：${text}`).join('\n')
}

/** Field errors of a refusal, by field. */
export function errorsOf(data: unknown): Draft {
  if (typeof data !== 'object' || data === null || !('errors' in data) || !Array.isArray(data.errors)) return {}
  return Object.fromEntries(data.errors.flatMap(error => (typeof error?.field === 'string' && typeof error?.msg === 'string' ? [[error.field, error.msg]] : [])))
}
