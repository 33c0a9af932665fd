import type { NavItem } from '@campus/school/contract'
import type { RouteFact } from '@kit/contract'

/** The tree as it is drawn: hidden nodes are gone, and groups that lose all their pages with them. */
export function visibleMenu(list: readonly NavItem[]): NavItem[] {
  return list.flatMap((item) => {
    if (item.hidden) return []
    const children = visibleMenu(item.children)
    const emptied = item.path === '' && children.length === 0
    return emptied ? [] : [{ ...item, children }]
  })
}

/** The pages of the tree in its order, without the groups around them. */
export function pagesOf(list: readonly NavItem[]): NavItem[] {
  return list.flatMap((item) => [...(item.path === '' ? [] : [item]), ...pagesOf(item.children)])
}

/** The way from the top of the menu to the entry with this path; empty when the menu does not hold it. */
export function trailOf(list: readonly NavItem[], path: string): NavItem[] {
  for (const item of list) {
    if (item.path === path) return [item]
    const below = trailOf(item.children, path)
    if (below.length > 0) return [item, ...below]
  }
  return []
}

/** The path that is lit in the menu while a route is open: its own, or its parent's when the route says so. */
export function litPath(path: string, fact: Pick<RouteFact, 'active_menu'> | undefined): string {
  return fact?.active_menu ?? path
}

/** Which submenus stay open after a click: only the one just opened, or none. */
export function singleOpen(before: readonly string[], after: readonly string[]): string[] {
  const opened = after.find((key) => !before.includes(key))
  return opened === undefined ? [...after] : [opened]
}
