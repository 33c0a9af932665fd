import type { Book, ShownGroup } from '@campus/people/contract'
import { maskMobile } from '@kit/contract/checks'
import type { BookStaff, EntryRecord } from './book.queries.ts'

const most_shown = 30
const people_title = '联系人'
const numbers_title = '常用电话'

type Group = ShownGroup & { kind: 'dept' | 'people' | 'numbers' }

/** A book as its readers see it: departments as groups, single people and numbers in groups of their own where they stand, nobody twice. */
export function shownGroups({ show_mobile }: Pick<Book, 'show_mobile'>, entries: readonly EntryRecord[], staff: readonly BookStaff[]): ShownGroup[] {
  const hidden = entries.filter(entry => !entry.visible)
  const hidden_paths = hidden.flatMap(entry => entry.node_path ?? [])
  const seen = new Set(hidden.flatMap(entry => entry.user_id ?? []))
  const readable = staff.filter(person => hidden_paths.every(path => !person.node_path.startsWith(path)))
  const shown = (people: readonly BookStaff[]) => people.flatMap(person => {
    if (seen.has(person.user_id)) return []
    seen.add(person.user_id)
    return [{ name: person.user_name, post: person.position ?? '', phone: phoneOf(person.mobile, show_mobile) }]
  })
  const groups: Group[] = []
  for (const entry of entries.filter(one => one.visible)) {
    const { node_path, user_id, title, tel } = entry
    if (node_path !== null) groups.push({ kind: 'dept', title: entry.dept_name ?? '', people: shown(readable.filter(person => person.node_path.startsWith(node_path))), more: 0 })
    else if (user_id !== null) groupOf(groups, 'people').people.push(...shown(staff.filter(person => person.user_id === user_id).slice(0, 1)))
    else if (title !== null) groupOf(groups, 'numbers').people.push({ name: title, post: '', phone: tel })
  }
  return groups.filter(group => group.people.length > 0).map(({ title, people }) => ({ title, people: people.slice(0, most_shown), more: Math.max(0, people.length - most_shown) }))
}

/** The last group, if it is of this kind, else a new one. */
function groupOf(groups: Group[], kind: 'people' | 'numbers'): Group {
  const last = groups.at(-1)
  if (last?.kind === kind) return last
  const made: Group = { kind, title: kind === 'people' ? people_title : numbers_title, people: [], more: 0 }
  groups.push(made)
  return made
}

/** Numbers leave the server masked: whoever sets a book up need not know them. */
function phoneOf(mobile: string | null, way: Book['show_mobile']): string | null {
  return mobile === null || way === 'none' ? null : maskMobile(mobile)
}
