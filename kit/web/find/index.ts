/** One object that was found: its name, what tells it from others of the name, and where it opens. */
export type Found = { key: string; title: string; about: string; address: string }

/**
 * How 快速查找 looks for objects of one kind (design `screens.md` §4). A domain exports its finders beside its pages; their contracts are fetched
 * with the first search.
 */
export type Finder = {
  /** heading over what was found, 学生 */
  kind: string
  /** permission without which nothing is asked */
  need: string
  /** at most `most` objects that fit, within the row scope of the identity, and how many there are; `all` leads to the rest */
  find: (keyword: string, most: number, signal: AbortSignal) => Promise<{ found: Found[]; total: number; all?: string }>
}

/** The address of a list that shows what a keyword finds. */
export function listAddress(path: string, query: Record<string, string>): string {
  return `${path}?${new URLSearchParams(query).toString()}`
}
