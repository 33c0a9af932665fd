import type { Navigations, NavItem } from './wire.ts'

/** Landing pages in order of priority; /Dashboard is always routable (product spec §4, login flow 7). */
const landing_pages = ['/IconMenu', '/BusDashboard', '/CusDashboard'] as const
export const fallback_page = '/Dashboard'

/** Menu ids that go when lessons are planned by period (mode 1), and when they are not (mode 2): platform rule N4. */
const removed_by_mode = { 1: [807, 811], 2: [806, 810] } as const

/** The navigation groups without the two pages that do not fit the school's course_period; empty menu groups vanish. */
export function withoutPeriodPages(navs: Navigations['navs'], course_period: number | null): Navigations['navs'] {
  const removed: readonly number[] = removed_by_mode[course_period ? 1 : 2]
  return navs.map(group => ({ ...group, list: without(group.list, removed) }))
}

/** Pages of a school that plans by term and their twins for one that plans by year. */
const period_pages: readonly (readonly [term: string, year: string])[] = [['/LayoutCourseTerm', '/LayoutCourseYear'],
  ['/SelectCourseTerm', '/SelectCourseYear']]

/** The page that a school uses in the place of one that does not fit its course_period; undefined: the page is not one of those. */
export function otherPeriodPage(path: string): string | undefined {
  const pair = period_pages.find(paths => paths.includes(path))
  return pair?.find(one => one !== path)
}

/** The sidebar tree. */
export function menuOf(navs: Navigations['navs']): NavItem[] {
  return navs.find(group => group.code === 'cloud_navs')?.list ?? []
}

/** The first dashboard that the menu shows; what the school has hidden is none. */
export function landingOf(menu: readonly NavItem[]): string {
  return landing_pages.find(path => holds(menu, path)) ?? fallback_page
}

function without(list: readonly NavItem[], removed: readonly number[]): NavItem[] {
  return list.flatMap(item => {
    if (removed.includes(item.id)) return []
    const children = without(item.children, removed)
    const emptied = item.children.length > 0 && children.length === 0 && item.path === ''
    return emptied ? [] : [{ ...item, children }]
  })
}

function holds(list: readonly NavItem[], path: string): boolean {
  return list.some(item => !item.hidden && (item.path === path || holds(item.children, path)))
}
