import type { ComponentType } from 'react'

/** Lazy pages by path. */
export type PageTable = Record<string, () => Promise<{ default: ComponentType }>>

/** Maps the paths of a domain's routes to its pages, each loaded when first opened. */
export function pages<T extends PageTable>(table: T): T {
  return table
}
