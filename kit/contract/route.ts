/** Menu groups of the sidebar (product menu; the order is the order of the sidebar). */
export type MenuGroup = { code: string; id: number; name: string; icon: string; order: number }

/** `name` is the family's own and the menu entry's, `tab` the name of this route in it; the order of the routes is that of the tabs. */
export type RouteFamily = { name: string; tab: string }

/** Everything the product knows about one console route; the server computes navigations from it. */
export type RouteFact = {
  id: number
  path: string
  code: string
  title: string
  group: string
  icon: string
  order: number
  /** one of several variants of one thing: together one menu entry of this name at the place of the first, and a tab each over the page */
  family?: RouteFamily
  /** not drawn in the sidebar */
  hidden?: boolean
  /** stands alone, without sidebar and top bar: for a link, a code or a frame */
  bare?: boolean
  /** path of the menu entry that is lit while this route is open */
  active_menu?: string
  /** keeps its state and scroll while hidden */
  keep_alive?: boolean
  /** 1 school, 2 enterprise */
  school_types: readonly (1 | 2)[]
  /** permission code of the page's list; absent = every signed-in person */
  need?: string
  /** of a page open to everybody: the code that makes it worth opening though nothing else may be opened */
  worth_with?: string
}

/** Declares the routes of a domain; the one place of path, title, icon, order, visibility. */
export function routes(facts: readonly RouteFact[]): readonly RouteFact[] {
  return facts
}
