import type { NavGroup, NavPage, NavTree } from '@campus/school/contract'
import { describe, expect, test } from 'vitest'
import { changed, differences, draftOf, nodesOf, previewOf, reordered } from './nav-model.ts'

const node = (nav_id: number, order: number, more: Partial<NavPage> = {}): NavPage => ({
  nav_id, path: `/P${nav_id}`, name: `页${nav_id}`, icon: 'FileOutlined', order, detail: false, fixed: false, licensed: true, need: 'a.b.view', worth_with: null,
  own: { nav_id, show_name: null, icon: null, order: null, hidden: false }, ...more,
})
const group = (nav_id: number, order: number, children: NavPage[]): NavGroup => ({ ...node(nav_id, order, { path: '', need: null, name: `组${nav_id}` }), children })
const tree: NavTree = { nav_version: 1, groups: [group(100, 1, [node(1, 1), node(2, 2), node(3, 5, { detail: true })]), group(200, 2, [node(4, 1, { need: 'c.d.view' })])] }
const draft = draftOf(tree)
const seen = (codes: string[], changed_draft = draft) => previewOf(changed_draft, new Set(codes)).map(one => [one.name, ...one.pages.map(page => page.name)])

test('a draft that changes nothing keeps nothing', () => {
  expect([nodesOf(draft), differences(tree, draft)]).toEqual([[], 0])
  expect(nodesOf(reordered(reordered(draft, 100, 0, 1), 100, 1, 0))).toEqual([])
})

describe('what is kept', () => {
  test.each<[string, ReturnType<typeof changed>, object[]]>([
    ['a name', changed(draft, 2, { show_name: '首页' }), [{ nav_id: 2, show_name: '首页', icon: null, order: null, hidden: false }]],
    ['a hidden group', changed(draft, 200, { hidden: true }), [{ nav_id: 200, show_name: null, icon: null, order: null, hidden: true }]],
    ['the other order of two pages', reordered(draft, 100, 1, 0), [{ nav_id: 2, order: 1 }, { nav_id: 1, order: 2 }]],
    ['the other order of two groups', reordered(draft, null, 0, 1), [{ nav_id: 200, order: 1 }, { nav_id: 100, order: 2 }]],
  ])('%s', (_what, after, wanted) => {
    expect(nodesOf(after)).toMatchObject(wanted)
    expect(nodesOf(after)).toHaveLength(wanted.length)
    expect(differences(tree, after)).toBe(wanted.length)
  })
})

describe('the preview', () => {
  test('shows what the permissions open, in groups that are not empty', () => {
    expect(seen(['a.b.view'])).toEqual([['组100', '页1', '页2']])
    expect(seen(['a.b.view', 'c.d.view'])).toEqual([['组100', '页1', '页2'], ['组200', '页4']])
    expect(seen([])).toEqual([])
  })
  test('follows names, places and hiding before anything is saved', () => {
    const after = changed(changed(reordered(draft, 100, 1, 0), 1, { hidden: true }), 2, { show_name: '先' })
    expect(seen(['a.b.view', 'c.d.view'], changed(after, 200, { show_name: '别处' }))).toEqual([['组100', '先'], ['别处', '页4']])
  })
  test('leaves out what is not licensed', () => {
    expect(previewOf(draftOf({ ...tree, groups: [group(100, 1, [node(1, 1, { licensed: false })])] }), new Set(['a.b.view']))).toEqual([])
  })
})
