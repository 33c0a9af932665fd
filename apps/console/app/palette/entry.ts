import { subAppOfPath } from '@campus/school/contract'
import type { NavItem } from '@campus/school/contract'
import { rankTitle } from '@kit/contract/search'
import type { OwnDialog } from './own-dialogs.ts'

/** One line of the palette: it opens an address, one of the person's own dialogs, or a sub-application in a tab of its own. */
export type Entry = { key: string; title: string; about: string; target: { address: string } | { dialog: OwnDialog } | { sub_app: string }; /** one of many: found by its name alone */ only_typed?: true }
/** Lines under one heading. */
export type EntryGroup = { title: string; entries: readonly Entry[] }

const most_pages = 8
const most_recent = 5

/** Every page of the menu with the name of its group. */
export function pageEntries(menu: readonly NavItem[]): Entry[] {
  return menu.flatMap(group => group.children.map(page => entryOf(page, group.show_name)))
}

function entryOf({ path, show_name }: NavItem, group: string): Entry {
  const app = subAppOfPath(path)
  if (app === null) return { key: path, title: show_name, about: group, target: { address: path } }
  return { key: path, title: show_name, about: `${group} · 新标签页 ↗`, target: { sub_app: app } }
}

/**
 * What stands under the typed text. Without one: the pages opened last, then settings, then the other pages. With one: what fits best
 * first, and of two that fit alike the one opened later.
 */
export function localGroups(pages: readonly Entry[], settings: readonly Entry[], recent: readonly string[], text: string, filters: readonly Entry[] = []): EntryGroup[] {
  if (text === '') {
    const opened = recent.flatMap(path => pages.find(page => page.key === path) ?? []).slice(0, most_recent)
    return filled([
      { title: '最近使用', entries: opened },
      { title: '常用筛选', entries: filters },
      { title: '设置', entries: settings.filter(entry => !entry.only_typed) },
      { title: '页面', entries: pages.filter(page => !opened.includes(page)) },
    ])
  }
  const since = (entry: Entry) => (recent.includes(entry.key) ? recent.indexOf(entry.key) : recent.length)
  return filled([
    { title: '页面', entries: fitting(pages.toSorted((a, b) => since(a) - since(b)), text).slice(0, most_pages) },
    { title: '常用筛选', entries: fitting(filters, text) },
    { title: '设置', entries: fitting(settings, text) },
  ])
}

function fitting(entries: readonly Entry[], text: string): Entry[] {
  const ranked = entries.flatMap(entry => {
    const rank = rankTitle(entry.title, text)
    return rank === null ? [] : [{ entry, rank }]
  })
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ entry }) => entry)
}

function filled(groups: readonly EntryGroup[]): EntryGroup[] {
  return groups.filter(group => group.entries.length > 0)
}
