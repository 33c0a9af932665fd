/** A sentence the product answers, and what to do then. */
type Refusal = readonly [sentence: string, what_to_do: string]

/** One page of help about one screen; `path` is its route, null = about no single one. */
export type Article = {
  id: string
  path: string | null
  title: string
  /** other words under which people look for it */
  words: readonly string[]
  purpose: string
  steps: readonly string[]
  refusals: readonly Refusal[]
}

/** How well an article fits what somebody looks for: its title by text or pinyin initials, then its words, then everything in it; null = not at all. */
export function rankArticle(article: Article, typed: string, rankTitle: (title: string, typed: string) => number | null): number | null {
  const by_title = rankTitle(article.title, typed)
  if (by_title !== null) return by_title
  const text = typed.trim().toLowerCase()
  if (article.words.some(word => rankTitle(word, typed) !== null)) return 4
  return textOf(article).toLowerCase().includes(text) ? 5 : null
}

function textOf({ purpose, steps, refusals }: Article): string {
  return [purpose, ...steps, ...refusals.flat()].join('\n')
}
