import { isNavIcon } from '@campus/school/contract'
import type { NavGroup, NavNodeSetting, NavPage } from '@campus/school/contract'
import type { MenuGroup, RouteFact } from '@kit/contract'
import { isClosed, term } from './menu.ts'
import type { NavState } from './nav-state.ts'

/** The page on which the menu itself is changed: it and its group cannot be hidden. */
const never_hidden: readonly string[] = ['SchoolRecord', 'archive']

/** The whole menu of a kind of school as it can be changed: also what is hidden, not licensed, or open to few. */
export function navTree(groups: readonly MenuGroup[], facts: readonly RouteFact[], school_type: number, nav: NavState): NavGroup[] {
  const own = facts.filter(fact => fact.school_types.some(type => type === school_type))
  const tree = groups.map(group => ({
    ...nodeOf({ ...group, path: '', title: group.name, group: group.code }, school_type, nav),
    children: own.filter(fact => fact.group === group.code).map(fact => nodeOf(fact, school_type, nav)).toSorted(inOrder),
  }))
  return tree.filter(({ children }) => children.length > 0).toSorted(inOrder)
}

type Fact = Pick<RouteFact, 'id' | 'path' | 'code' | 'title' | 'group' | 'icon' | 'order' | 'hidden' | 'need' | 'worth_with'>

function nodeOf(fact: Fact, school_type: number, nav: NavState): NavPage {
  const { id: nav_id, path, code, icon, order } = fact
  return {
    nav_id, path, icon, order,
    name: term(fact.title, school_type),
    detail: fact.hidden === true,
    fixed: never_hidden.includes(code),
    licensed: !isClosed(fact, nav),
    need: fact.need ?? null,
    worth_with: fact.worth_with ?? null,
    own: nav.nodes.get(nav_id) ?? { nav_id, show_name: null, icon: null, order: null, hidden: false },
  }
}

/** What of the wanted nodes differs from the product: a name, icon or place that is the product's own is none. */
export function differingNodes(tree: readonly NavGroup[], wanted: readonly NavNodeSetting[]): NavNodeSetting[] {
  const known = new Map(pagesAndGroups(tree).map(node => [node.nav_id, node]))
  return wanted.flatMap(node => {
    const usual = known.get(node.nav_id)
    const own = {
      ...node,
      show_name: node.show_name === usual?.name ? null : node.show_name,
      icon: node.icon === usual?.icon || node.icon === null || !isNavIcon(node.icon) ? null : node.icon,
      order: node.order === usual?.order ? null : node.order,
    }
    const says_nothing = own.show_name === null && own.icon === null && own.order === null && !own.hidden
    return says_nothing ? [] : [own]
  })
}

/** Every node of the tree. */
export function pagesAndGroups(tree: readonly NavGroup[]): NavPage[] {
  return tree.flatMap(({ children, ...group }) => [group, ...children])
}

function inOrder(one: NavPage, other: NavPage): number {
  const placeOf = (node: NavPage) => node.own.order ?? node.order
  return placeOf(one) - placeOf(other) || one.nav_id - other.nav_id
}
