import { createContext, useContext } from 'react'

/** Values of the address bar behind `?`, all text. */
export type PageSearch = Readonly<Record<string, string>>

/** The page a component stands in. A kept page that is hidden keeps the search it had when it was left. */
export type PageFacts = {
  path: string
  title: string
  active: boolean
  search: PageSearch
  setSearch: (next: PageSearch) => void
}

const outside: PageFacts = { path: '/', title: '', active: true, search: {}, setSearch: () => undefined }

export const PageContext = createContext<PageFacts>(outside)

/** Facts of the surrounding page; outside of pages (layout, dialogs of the shell) always active. */
export function usePage(): PageFacts {
  return useContext(PageContext)
}
