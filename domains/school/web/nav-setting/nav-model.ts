import type { NavNodeSetting, NavPage, NavTree } from '@campus/school/contract'

/** A page while the menu is being changed: as the product has it, and as the school wants it. */
export type DraftPage = { node: NavPage; own: NavNodeSetting }
/** The menu while it is being changed, in the order in which it would be drawn. */
type DraftGroup = DraftPage & { children: readonly DraftPage[] }
export type Draft = readonly DraftGroup[]

/** The draft that says what the school says now. */
export function draftOf({ groups }: NavTree): Draft {
  return groups.map(({ children, ...node }) => ({ node, own: node.own, children: children.map(page => ({ node: page, own: page.own })) }))
}

/** The draft after one node was changed. */
export function changed(draft: Draft, nav_id: number, more: Partial<NavNodeSetting>): Draft {
  const apply = <T extends DraftPage>(one: T): T => (one.node.nav_id === nav_id ? { ...one, own: { ...one.own, ...more } } : one)
  return draft.map(group => apply({ ...group, children: group.children.map(apply) }))
}

/** The draft after a group (`within` null) or a page of a group was taken to another place. */
export function reordered(draft: Draft, within: number | null, from: number, to: number): Draft {
  if (within === null) return placed(draft, from, to)
  return draft.map(group => (group.node.nav_id === within ? { ...group, children: placed(group.children, from, to) } : group))
}

/** What is to be kept: names and icons that differ, and places where an order is not the product’s. */
export function nodesOf(draft: Draft): NavNodeSetting[] {
  const all = [...inPlaces(draft), ...draft.flatMap(group => inPlaces(group.children))]
  return all.filter(({ show_name, icon, order, hidden }) => show_name !== null || icon !== null || order !== null || hidden)
}

/** The name that is drawn. */
export function nameOf({ node, own }: DraftPage): string {
  return own.show_name ?? node.name
}

/** The icon that is drawn. */
export function iconOf({ node, own }: DraftPage): string {
  return own.icon ?? node.icon
}

/** A group of the sidebar as it would be drawn. */
export type PreviewGroup = { nav_id: number; name: string; icon: string; pages: readonly { nav_id: number; name: string }[] }

/** The sidebar that somebody with these permissions would see; the same rules as the server's (chapter 10 N3). */
export function previewOf(draft: Draft, codes: ReadonlySet<string>): PreviewGroup[] {
  const opens = ({ node }: DraftPage) => node.licensed && (node.need === null || codes.has(node.need))
  const is_worth = ({ node }: DraftPage) => node.need !== null || (node.worth_with !== null && codes.has(node.worth_with))
  if (!draft.some(group => group.children.some(page => opens(page) && is_worth(page)))) return []
  return draft.flatMap(group => {
    const pages = group.children.filter(page => opens(page) && !page.own.hidden && !page.node.detail).map(page => ({ nav_id: page.node.nav_id, name: nameOf(page) }))
    return group.own.hidden || pages.length === 0 ? [] : [{ nav_id: group.node.nav_id, name: nameOf(group), icon: iconOf(group), pages }]
  })
}

/** How many nodes are said otherwise than in the tree that was read. */
export function differences(tree: NavTree, draft: Draft): number {
  const before = new Map(nodesOf(draftOf(tree)).map(node => [node.nav_id, JSON.stringify(node)]))
  const after = new Map(nodesOf(draft).map(node => [node.nav_id, JSON.stringify(node)]))
  return [...new Set([...before.keys(), ...after.keys()])].filter(id => before.get(id) !== after.get(id)).length
}

/** Siblings share out the places that the product gave them, so that what a later version adds between them still falls between them. */
function inPlaces(siblings: readonly DraftPage[]): NavNodeSetting[] {
  const orders = siblings.map(({ node }) => node.order).toSorted((one, other) => one - other)
  const distinct = new Set(orders).size === orders.length
  return siblings.map(({ node, own }, at) => {
    const place = distinct ? orders[at] : at + 1
    return { ...own, order: place === undefined || place === node.order ? null : place }
  })
}

function placed<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_, at) => at !== from)
  return [...rest.slice(0, to), ...list.slice(from, from + 1), ...rest.slice(to)]
}
