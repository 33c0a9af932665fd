import { devicesFinders } from '@campus/devices/web'
import { peopleFinders } from '@campus/people/web'
import { placesFinders } from '@campus/places/web'
import { can } from '@kit/web'
import type { Finder } from '@kit/web/find'
import type { EntryGroup } from './entry.ts'

const most_of_a_kind = 6
/** Every domain's finders in the order of their headings; a new domain is a line here. */
const finders: readonly Finder[] = [...peopleFinders, ...placesFinders, ...devicesFinders]

/** The finders that the identity may use. */
export function ownFinders(): readonly Finder[] {
  return finders.filter(({ need }) => can(need))
}

/**
 * Objects of every kind that the identity may see, a group a kind; the last line leads to the others when there are more.
 * @throws CallError of the first finder that failed
 */
export async function findObjects(keyword: string, signal: AbortSignal): Promise<EntryGroup[]> {
  const groups = await Promise.all(ownFinders().map(async ({ kind, find }) => {
    const { found, total, all } = await find(keyword, most_of_a_kind, signal)
    const entries = found.map(({ key, title, about, address }) => ({ key: `${kind}-${key}`, title, about, target: { address } }))
    if (total <= found.length || all === undefined) return { title: kind, entries }
    return { title: kind, entries: [...entries, { key: `${kind}-all`, title: `查看全部${total}条${kind}`, about: keyword, target: { address: all } }] }
  }))
  return groups.filter(({ entries }) => entries.length > 0)
}
