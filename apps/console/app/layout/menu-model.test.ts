import type { NavItem } from '@campus/school/contract'
import { describe, expect, test } from 'vitest'
import { withoutPeriodPages } from '../../login/navigation.ts'
import { litPath, pagesOf, singleOpen, trailOf, visibleMenu } from './menu-model.ts'

const node = (id: number, path: string, more: Partial<NavItem> = {}): NavItem => ({
  id, path, code: String(id), name: `页面${id}`, show_name: '', icon: '', order: id, superior_id: 0, hidden: false, children: [], ...more,
})
const education = node(800, '', { children: [node(806, '/LayoutCourseTerm'), node(807, '/LayoutCourseYear'), node(810, '/SelectCourseTerm'), node(811, '/SelectCourseYear')] })
const menu = [
  node(300, '', { children: [node(304, '/ParentsRecord'), node(330, '/ChangeRecord', { hidden: true })] }),
  node(400, '', { children: [node(401, '/CardRecord', { hidden: true })] }),
  education,
]
const ids = (list: readonly NavItem[]) => pagesOf(list).map((page) => page.id)

describe('the menu', () => {
  test('draws no hidden entry and no group that lost all its pages', () => {
    expect(visibleMenu(menu).map((group) => group.id)).toEqual([300, 800])
    expect(ids(visibleMenu(menu))).toEqual([304, 806, 807, 810, 811])
  })

  test.each([
    [1, [806, 810]],
    [null, [807, 811]],
  ])('of a school with course_period %j holds %j of the course pages', (course_period, left) => {
    const [group] = withoutPeriodPages([{ code: 'cloud_navs', list: [education] }], course_period)
    expect(ids(group?.list ?? [])).toEqual(left)
  })

  test('knows the way to a page', () => {
    expect(trailOf(menu, '/SelectCourseTerm').map((item) => item.id)).toEqual([800, 810])
    expect(trailOf(menu, '/Nothing')).toEqual([])
  })
})

test('a detail page lights its parent, any other page itself', () => {
  expect(litPath('/InformationDetail', { active_menu: '/Information' })).toBe('/Information')
  expect(litPath('/ParentsRecord', {})).toBe('/ParentsRecord')
  expect(litPath('/Nothing', undefined)).toBe('/Nothing')
})

test('opening a submenu closes the one before; closing leaves none', () => {
  expect(singleOpen(['a'], ['a', 'b'])).toEqual(['b'])
  expect(singleOpen(['a'], [])).toEqual([])
  expect(singleOpen([], ['b'])).toEqual(['b'])
})
