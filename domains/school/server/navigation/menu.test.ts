import type { MenuGroup, RouteFact } from '@kit/contract'
import { describe, expect, test } from 'vitest'
import { buildMenu, term } from './menu.ts'

const groups: MenuGroup[] = [
  { id: 300, code: 'archive', name: '档案管理', icon: 'A', order: 2 },
  { id: 200, code: 'home', name: '首页', icon: 'H', order: 1 },
]
const facts: RouteFact[] = [
  { id: 304, path: '/ParentsRecord', code: 'ParentsRecord', title: '学生家长档案', group: 'archive', icon: 'T', order: 4, school_types: [1], need: 'people.student.view' },
  { id: 301, path: '/TeachersRecord', code: 'TeachersRecord', title: '教职工档案', group: 'archive', icon: 'T', order: 1, school_types: [1, 2], need: 'people.staff.view' },
  { id: 201, path: '/Dashboard', code: 'Dashboard', title: '首页概览', group: 'home', icon: 'D', order: 1, school_types: [1, 2], worth_with: 'insight.stat.view' },
]
const paths = (codes: string[], school_type = 1) =>
  buildMenu(groups, facts, { school_type, codes: new Set(codes) }).map(group => [group.code, ...group.children.map(page => page.path)])

describe('menu of an identity', () => {
  test('holds only pages whose list the identity may read, in order', () => {
    expect(paths(['people.student.view', 'people.staff.view'])).toEqual([['home', '/Dashboard'], ['archive', '/TeachersRecord', '/ParentsRecord']])
  })
  test('an empty group vanishes', () => {
    expect(paths(['people.staff.view'])).toEqual([['home', '/Dashboard'], ['archive', '/TeachersRecord']])
  })
  test('10-A18 who may do nothing has no menu at all', () => {
    expect(paths([])).toEqual([])
  })
  test('an open page stands alone for whoever holds what makes it worth opening', () => {
    expect(paths(['insight.stat.view'], 2)).toEqual([['home', '/Dashboard']])
  })
  test('10-A18 pages of a module that is over are gone; hidden ones stay, marked; names and places are the school’s', () => {
    const reader = { school_type: 1, codes: new Set(['people.student.view', 'people.staff.view']) }
    const own = { show_name: null, icon: null, order: null, hidden: false }
    const nav = { nodes: new Map([[304, { ...own, nav_id: 304, order: 0, hidden: true }], [300, { ...own, nav_id: 300, show_name: '人员' }]]), closed: new Set(['home']) }
    const [group, ...more] = buildMenu(groups, facts, reader, nav)
    expect([more, group?.show_name, group?.children.map(page => [page.path, page.hidden])]).toEqual([[], '人员', [['/ParentsRecord', true], ['/TeachersRecord', false]]])
    expect(buildMenu(groups, facts, reader, { nodes: new Map(), closed: new Set(['home', 'archive']) })).toEqual([])
  })
  test('an enterprise has no pupils, and staff are called 员工', () => {
    expect(paths(['people.student.view', 'people.staff.view'], 2)).toEqual([['home', '/Dashboard'], ['archive', '/TeachersRecord']])
    expect(term('教职工档案', 2)).toBe('员工档案')
    expect(term('教职工档案', 1)).toBe('教职工档案')
  })
})
