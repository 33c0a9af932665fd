import type { NavItem } from '@campus/school/contract'
import type { MenuGroup, RouteFact } from '@kit/contract'
import { plain_nav } from './nav-state.ts'
import type { NavState } from './nav-state.ts'

type Reader = { school_type: number; codes: ReadonlySet<string> }

/**
 * The menu tree of one identity: pages whose list permission it holds, of its kind of school, of modules that the school may use today, in
 * groups, named and ordered as the school wants them; an empty group vanishes (chapter 10 N3, N5). Pages open to everybody make no menu of
 * their own, unless the identity holds what makes them worth opening: whoever may do nothing has an empty one. What the school hides stays in
 * the tree as hidden: it is not drawn, and can be reached from other pages.
 */
export function buildMenu(groups: readonly MenuGroup[], facts: readonly RouteFact[], reader: Reader, nav: NavState = plain_nav): NavItem[] {
  const open = facts.filter(fact => mayOpen(fact, reader) && !isClosed(fact, nav))
  if (!open.some(fact => isWorth(fact, reader))) return []
  return groups
    .map(group => groupItem(group, open.filter(fact => fact.group === group.code), reader, nav))
    .filter(group => group.children.length > 0)
    .toSorted(inOrder)
}

/** Does the page belong to a module that the school may not use today? */
export function isClosed({ group, code }: Pick<RouteFact, 'group' | 'code'>, { closed }: NavState): boolean {
  return closed.has(group) || closed.has(code)
}

function isWorth({ need, worth_with }: RouteFact, { codes }: Reader): boolean {
  return need !== undefined || (worth_with !== undefined && codes.has(worth_with))
}

function mayOpen(fact: RouteFact, reader: Reader): boolean {
  const fits = fact.school_types.some(type => type === reader.school_type)
  return fits && (fact.need === undefined || reader.codes.has(fact.need))
}

function groupItem(group: MenuGroup, facts: readonly RouteFact[], reader: Reader, nav: NavState): NavItem {
  const children = facts.map(fact => nodeItem({ ...fact, name: fact.title, superior_id: group.id }, reader, nav)).toSorted(inOrder)
  return { ...nodeItem({ ...group, path: '', superior_id: 0 }, reader, nav), children }
}

type Node = Pick<NavItem, 'id' | 'path' | 'code' | 'name' | 'icon' | 'order' | 'superior_id'> & { hidden?: boolean }

function nodeItem({ id, path, code, name: title, icon, order, superior_id, hidden = false }: Node, { school_type }: Reader, { nodes }: NavState): NavItem {
  const name = term(title, school_type)
  const own = nodes.get(id)
  return { id, path, code, name, show_name: own?.show_name ?? name, icon: own?.icon ?? icon, order: own?.order ?? order, superior_id, hidden: hidden || own?.hidden === true, children: [] }
}

function inOrder(one: NavItem, other: NavItem): number {
  return one.order - other.order || one.id - other.id
}

const enterprise_terms: [string, string][] = [
  ['学校信息', '企业信息'],
  ['进出校实时监控', '进出实时监控'],
  ['离校人员档案', '离职人员档案'],
  ['校园服务', '企业服务'],
  ['教职工', '员工'],
]

/** Words of an enterprise (chapter 10 N5): one table for menu, titles, columns and exports. */
export function term(text: string, school_type: number): string {
  if (school_type !== 2) return text
  return enterprise_terms.reduce((all, [from, to]) => all.replaceAll(from, to), text)
}
