import { importSearchNames } from '@campus/jobs/web'
import type { PageSearch } from '@kit/web'

/** The two lists of 学生家长档案. */
export type RecordTab = 'student' | 'parent'

const beside: readonly string[] = ['tab', ...importSearchNames]

/** Which list the address shows. */
export function tabOf(search: PageSearch): RecordTab {
  return search.tab === 'parent' ? 'parent' : 'student'
}

/** The part of the address that belongs to the list; the tab and an open import are the page's own. */
export function listPart(search: PageSearch): PageSearch {
  return Object.fromEntries(Object.entries(search).filter(([name]) => !beside.includes(name)))
}

/** The address after the list changed its part. */
export function withListPart(search: PageSearch, part: PageSearch): PageSearch {
  return { ...Object.fromEntries(Object.entries(search).filter(([name]) => beside.includes(name))), ...part }
}

/** The address after changing the tab: the chosen class stays, filters of the other list go. */
export function withTab(search: PageSearch, tab: RecordTab): PageSearch {
  const kept: PageSearch = search.dept_id ? { dept_id: search.dept_id } : {}
  return tab === 'student' ? kept : { ...kept, tab }
}
