import type { ReactNode } from 'react'
import type { PageSearch } from '../page/page-context.ts'

/** Values of a filter by name; undefined clears one. */
export type FilterPatch = Record<string, string | undefined>

/** What a control of the search bar is given; `id` joins it to its label. */
export type FilterProps = { id: string; values: PageSearch; change: (patch: FilterPatch) => void }

/** One control of the search bar: the query names it fills, how it looks (drawn by one component of the bar, it may use hooks), and what it says when it filters. */
export type FilterControl = { names: string[]; Input: (props: FilterProps) => ReactNode; text: (values: PageSearch) => string | undefined }
