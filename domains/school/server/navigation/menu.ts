import type { NavItem } from '@campus/school/contract'
import type { MenuGroup, RouteFact } from '@kit/contract'

type Reader = { school_type: number; codes: ReadonlySet<string> }

/**
 * The menu tree of one identity: pages whose list permission it holds, of its kind of school, in groups; an empty group
 * vanishes (chapter 10 N3, N5). Pages open to everybody make no menu of their own: whoever may do nothing has an empty one.
 */
export function buildMenu(groups: readonly MenuGroup[], facts: readonly RouteFact[], reader: Reader): NavItem[] {
  const open = facts.filter(fact => mayOpen(fact, reader))
  if (open.every(fact => fact.need === undefined)) return []
  return groups
    .map(group => groupItem(group, open.filter(fact => fact.group === group.code), reader))
    .filter(group => group.children.length > 0)
    .toSorted((a, b) => a.order - b.order)
}

function mayOpen(fact: RouteFact, reader: Reader): boolean {
  const fits = fact.school_types.some(type => type === reader.school_type)
  return fits && (fact.need === undefined || reader.codes.has(fact.need))
}

function groupItem(group: MenuGroup, facts: readonly RouteFact[], reader: Reader): NavItem {
  const name = term(group.name, reader.school_type)
  const children = facts.map(fact => pageItem(fact, group.id, reader)).toSorted((a, b) => a.order - b.order)
  return { id: group.id, path: '', code: group.code, name, show_name: name, icon: group.icon, order: group.order, superior_id: 0, hidden: false, children }
}

function pageItem(fact: RouteFact, superior_id: number, reader: Reader): NavItem {
  const name = term(fact.title, reader.school_type)
  const { id, path, code, icon, order, hidden = false } = fact
  return { id, path, code, name, show_name: name, icon, order, superior_id, hidden, children: [] }
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
