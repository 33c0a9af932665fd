/** At most so many pages are known as opened last. */
export const RECENT_LIMIT = 12

/** The pages opened last after one more: it stands first, once. */
export function withNewest(before: readonly string[], path: string): string[] {
  return [path, ...before.filter(other => other !== path)].slice(0, RECENT_LIMIT)
}
