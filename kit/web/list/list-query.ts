import { page_sizes } from '@kit/contract'
import type { PageSearch } from '../page/page-context.ts'

const DEFAULT_SIZE = 20

/** Page, size and filter values of a list, read from the address bar; what is no page or size falls back to the defaults. */
export type ListQuery = { page_index: number; page_size: number; values: PageSearch }

/** Reads the list part of the address; `remembered` is the size last used on this route. */
export function listQueryOf(search: PageSearch, remembered: number | undefined): ListQuery {
  const { page_index, page_size, ...values } = search
  const index = Number(page_index)
  return {
    page_index: Number.isSafeInteger(index) && index > 0 ? index : 1,
    page_size: sizeOf(Number(page_size)) ?? sizeOf(remembered) ?? DEFAULT_SIZE,
    values,
  }
}

/** The page to show instead when `page_index` lies beyond the end, else undefined. An empty list has one page. */
export function fallbackPage(page_index: number, page_size: number, total: number): number | undefined {
  const last = Math.max(1, Math.ceil(total / page_size))
  return page_index > last ? last : undefined
}

/** The address after changing some filters: empty values go, paging starts again. */
export function withValues(search: PageSearch, patch: Record<string, string | undefined>): PageSearch {
  const next: Record<string, string> = {}
  for (const [name, value] of Object.entries({ ...search, ...patch })) {
    if (name !== 'page_index' && value !== undefined && value !== '') next[name] = value
  }
  return next
}

function sizeOf(size: number | undefined): number | undefined {
  return page_sizes.find((known) => known === size)
}
