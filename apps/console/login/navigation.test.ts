import { describe, expect, test } from 'vitest'
import { landingOf, menuOf, otherPeriodPage, withoutPeriodPages } from './navigation.ts'
import type { Navigations, NavItem } from './wire.ts'

function item(id: number, path: string, children: NavItem[] = []): NavItem {
  return { id, path, code: `n${id}`, name: path, show_name: path, icon: '', order: id, superior_id: 0, hidden: false, children }
}

function navs(...list: NavItem[]): Navigations['navs'] {
  return [{ code: 'QuickNavs', list: [] }, { code: 'cloud_navs', list }]
}

const lessons = item(8, '', [
  item(806, '/LayoutCourseTerm'), item(807, '/LayoutCourseYear'), item(810, '/SelectCourseTerm'), item(811, '/SelectCourseYear'), item(812, '/ClassTime'),
])

describe('the pages that depend on course_period', () => {
  test.each([
    ['set', 1, [806, 810, 812]],
    ['unset', null, [807, 811, 812]],
    ['zero', 0, [807, 811, 812]],
  ] as const)('%s', (_, course_period, kept) => {
    const menu = menuOf(withoutPeriodPages(navs(lessons), course_period))
    expect(menu[0]?.children.map(child => child.id)).toEqual(kept)
  })

  test('a group left without pages vanishes, so the menu can be empty', () => {
    expect(menuOf(withoutPeriodPages(navs(item(8, '', [item(807, '/LayoutCourseYear')])), 1))).toEqual([])
  })

  test('each of them names the page that stands in its place, others none', () => {
    expect(['/LayoutCourseYear', '/SelectCourseTerm', '/ClassTime']
      .map(otherPeriodPage)).toEqual(['/LayoutCourseTerm', '/SelectCourseYear', undefined])
  })

  test('a page without children stays', () => {
    expect(menuOf(withoutPeriodPages(navs(item(1, '/Dashboard')), 1))).toHaveLength(1)
  })
})

test('a menu that was not sent is empty', () => {
  expect(menuOf([])).toEqual([])
})

describe('the landing page', () => {
  const all = ['/Dashboard', '/CusDashboard', '/BusDashboard', '/IconMenu']
  test.each([
    [all, '/IconMenu'],
    [all.slice(0, 3), '/BusDashboard'],
    [all.slice(0, 2), '/CusDashboard'],
    [all.slice(0, 1), '/Dashboard'],
    [['/ClassTime'], '/Dashboard'],
  ])('of %j is %s', (paths, landing) => {
    expect(landingOf([item(1, '', paths.map((path, at) => item(at + 2, path)))])).toBe(landing)
  })
})

test('10-A18 landing follows the priority while pages are hidden one by one, then their group', () => {
  const order = ['/IconMenu', '/BusDashboard', '/CusDashboard', '/Dashboard'] as const
  const home = (hidden: readonly string[], group = false) => [{ ...item(200, '', order.toReversed().map((path, at) => ({ ...item(at, path), hidden: hidden.includes(path) }))), hidden: group }]
  expect(order.map((_, count) => landingOf(home(order.slice(0, count))))).toEqual(order)
  expect(landingOf(home([...order]))).toBe('/Dashboard')
  expect(landingOf(home([], true))).toBe('/Dashboard')
})
