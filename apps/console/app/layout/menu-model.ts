import type { NavItem } from '@campus/school/contract'
import type { RouteFact, RouteFamily } from '@kit/contract'

type FamilyFact = Pick<RouteFact, 'path' | 'order'> & { family?: RouteFamily | undefined }

/** The tree as it is drawn: hidden nodes are gone, and groups that lose all their pages with them. */
export function visibleMenu(list: readonly NavItem[]): NavItem[] {
  return list.flatMap((item) => {
    if (item.hidden) return []
    const children = visibleMenu(item.children)
    const emptied = item.path === '' && children.length === 0
    return emptied ? [] : [{ ...item, children }]
  })
}

/**
 * The tree with one entry for each family of pages, named as the family, at the place of its first page; that is where it leads. A family of
 * which only one page is there keeps that page's own name.
 */
export function foldFamilies(list: readonly NavItem[], familyOf: (path: string) => RouteFamily | undefined): NavItem[] {
  const nameOf = (item: NavItem) => familyOf(item.path)?.name
  return list.flatMap((item, at) => {
    if (item.path === '') return [{ ...item, children: foldFamilies(item.children, familyOf) }]
    const name = nameOf(item)
    if (name === undefined || !list.some((other) => other !== item && nameOf(other) === name)) return [item]
    const is_first = !list.slice(0, at).some((other) => nameOf(other) === name)
    return is_first ? [{ ...item, name, show_name: name }] : []
  })
}

/** The pages of the family of a path in their order; empty when it has none. */
export function familyMembers<F extends FamilyFact>(facts: readonly F[], path: string): F[] {
  const name = facts.find((fact) => fact.path === path)?.family?.name
  if (name === undefined) return []
  return facts.filter((fact) => fact.family?.name === name).toSorted((a, b) => a.order - b.order)
}

/** The entry of the drawn menu that is lit: the path's own, or the one that leads to its family. */
export function entryOf(list: readonly NavItem[], path: string, familyOf: (path: string) => RouteFamily | undefined): string {
  const name = familyOf(path)?.name
  if (name === undefined || trailOf(list, path).length > 0) return path
  return pagesOf(list).find((page) => familyOf(page.path)?.name === name)?.path ?? path
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
