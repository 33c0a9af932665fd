/** Columns of every dashboard (chapter 10 §5). */
export const board_columns = 12
/** Most cards of one layout. */
export const most_cards = 24

/** A card of the dashboards: what a domain says of it once, for the shelf, the frame and the check of layouts. */
export type CardFact = {
  /** `<domain>.<noun>` */
  code: string
  title: string
  /** what exactly is shown: the definition behind the title */
  sentence: string
  /** heading of the shelf under which it stands */
  shelf: string
  /** permission codes that it takes, all of them */
  need: readonly string[]
  /** columns and rows as it is offered, and the least it can be read in */
  usual: readonly [w: number, h: number]
  least: readonly [w: number, h: number]
  /** 1 school, 2 enterprise */
  school_types: readonly (1 | 2)[]
  /** which dashboards it stands on before anybody arranges anything */
  boards: readonly ('cus' | 'bus')[]
  /** the page that shows its rows */
  path?: string
}

/** Declares the cards of a domain. */
export function cards<const T extends readonly CardFact[]>(facts: T): T {
  return facts
}

/** Where a card lies: columns from 0 to 11, rows from 0. */
export type Placed = { code: string; x: number; y: number; w: number; h: number }

/** Do two cards share a cell? */
export function isOverlap(one: Placed, other: Placed): boolean {
  return one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h
}

/** Is every card inside the columns, at least as large as it must be, there once, and on cells of its own? */
export function isLayout(items: readonly Placed[], leastOf: (code: string) => readonly [w: number, h: number]): boolean {
  return items.every((item, at) => {
    const [least_w, least_h] = leastOf(item.code)
    const fits = item.x >= 0 && item.y >= 0 && item.x + item.w <= board_columns && item.w >= least_w && item.h >= least_h
    return fits && items.every((other, of) => of <= at || (other.code !== item.code && !isOverlap(item, other)))
  })
}
