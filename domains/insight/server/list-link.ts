import type { InsightCtx } from './db.ts'

/** Address of a list with its filter, for whoever may open that page; null otherwise. Search values are those of the page's own filters. */
export function listLink(ctx: InsightCtx, path: string, search: Readonly<Record<string, string>> = {}): string | null {
  const fact = ctx.app.facts.find(known => known.path === path)
  if (!fact || (fact.need !== undefined && !ctx.me.codes.has(fact.need))) return null
  const text = new URLSearchParams(search).toString()
  return text === '' ? path : `${path}?${text}`
}
