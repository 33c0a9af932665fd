import { describe, expect, test } from 'vitest'
import { nextOwnChange, openVersions, rewriteFrom } from './dept.timeline.ts'
import type { Version } from './dept.timeline.ts'

const from = '2026-09-01'

function version(path: string, names: string, span: [string, string | null] = [from, null], more: Partial<Version> = {}): Version {
  const ids = path.split('/')
  const [valid_from, valid_to] = span
  return {
    dept_id: ids.at(-1) ?? '', valid_from, valid_to, parent_id: ids.at(-2) ?? null, dept_name: names.split('/').at(-1) ?? '', grade: null, show_order: 1,
    node_path: `/${path}/`, pt_node_path_name: names, command_id: null, ...more,
  }
}

/** `from..to id path names` of every row, in order. */
function lines(rows: readonly Version[]): string[] {
  return rows.map(row => `${row.valid_from}..${row.valid_to ?? ''} ${row.dept_id} ${row.node_path} ${row.pt_node_path_name}`).toSorted()
}

const school = version('1', '校')
const grade = version('1/2', '校/甲')
const facts = { parent_id: '1', dept_name: '乙', grade: null, show_order: 1 }

describe('a renamed department', () => {
  test.each<[string, Version[], string[]]>([
    ['alone', [grade], ['2026-10-01.. 2 /1/2/ 校/乙']],
    ['with a class', [grade, version('1/2/3', '校/甲/一班')], ['2026-10-01.. 2 /1/2/ 校/乙', '2026-10-01.. 3 /1/2/3/ 校/乙/一班']],
    ['with a class that opens later', [grade, version('1/2/3', '校/甲/一班', ['2026-11-01', null])], ['2026-10-01.. 2 /1/2/ 校/乙', '2026-11-01.. 3 /1/2/3/ 校/乙/一班']],
    ['with a class that ends', [grade, version('1/2/3', '校/甲/一班', [from, '2026-12-01'])], ['2026-10-01.. 2 /1/2/ 校/乙', '2026-10-01..2026-12-01 3 /1/2/3/ 校/乙/一班']],
    [
      'with a class that will be renamed',
      [grade, version('1/2/3', '校/甲/一班', [from, '2026-11-01']), version('1/2/3', '校/甲/二班', ['2026-11-01', null])],
      ['2026-10-01.. 2 /1/2/ 校/乙', '2026-10-01..2026-11-01 3 /1/2/3/ 校/乙/一班', '2026-11-01.. 3 /1/2/3/ 校/乙/二班'],
    ],
    ['two levels deep', [grade, version('1/2/3/4', '校/甲/组/小组')], ['2026-10-01.. 2 /1/2/ 校/乙', '2026-10-01.. 4 /1/2/3/4/ 校/乙/组/小组']],
    ['that began on the day', [version('1/2', '校/甲', ['2026-10-01', null])], ['2026-10-01.. 2 /1/2/ 校/乙']],
    ['that closes', [version('1/2', '校/甲', [from, '2026-12-01'])], ['2026-10-01..2026-12-01 2 /1/2/ 校/乙']],
  ])('%s', (_what, rows, expected) => {
    expect(lines(rewriteFrom('2', facts, rows, [school], '2026-10-01'))).toEqual(expected)
  })

  test('is cut where the department above it changes its name', () => {
    const above = [version('1', '校', [from, '2026-11-01']), version('1', '学园', ['2026-11-01', null])]
    const rows = [version('1/2', '校/甲', [from, '2026-11-01']), version('1/2', '学园/甲', ['2026-11-01', null]), version('1/2/3', '校/甲/班', [from, '2026-11-01']), version('1/2/3', '学园/甲/班', ['2026-11-01', null])]
    expect(lines(rewriteFrom('2', facts, rows, above, '2026-10-01'))).toEqual([
      '2026-10-01..2026-11-01 2 /1/2/ 校/乙', '2026-10-01..2026-11-01 3 /1/2/3/ 校/乙/班', '2026-11-01.. 2 /1/2/ 学园/乙', '2026-11-01.. 3 /1/2/3/ 学园/乙/班',
    ])
  })

  test('the root has nothing above it', () => {
    expect(lines(rewriteFrom('1', { ...facts, parent_id: null, dept_name: '新校' }, [school, grade], [], '2026-10-01'))).toEqual(['2026-10-01.. 1 /1/ 新校', '2026-10-01.. 2 /1/2/ 新校/甲'])
  })
})

test('a moved department takes the path of its new parent, and everything below it', () => {
  const rows = [grade, version('1/2/3', '校/甲/班')]
  const moved = rewriteFrom('2', { ...facts, parent_id: '9', dept_name: '甲' }, rows, [version('1/8/9', '校/区/处')], '2026-10-01')
  expect(lines(moved)).toEqual(['2026-10-01.. 2 /1/8/9/2/ 校/区/处/甲', '2026-10-01.. 3 /1/8/9/2/3/ 校/区/处/甲/班'])
})

test('a new department follows the names of its parent, one version while they stay', () => {
  const above = [version('1', '校', [from, '2026-11-01']), version('1', '校', ['2026-11-01', '2026-12-01']), version('1', '学园', ['2026-12-01', null])]
  expect(lines(openVersions('2', facts, above, '2026-10-01'))).toEqual(['2026-10-01..2026-12-01 2 /1/2/ 校/乙', '2026-12-01.. 2 /1/2/ 学园/乙'])
})

test.each<[string, Version[], string | undefined]>([
  ['nothing later', [grade], undefined],
  ['another name', [grade, version('1/2', '校/乙', ['2026-11-01', null])], '2026-11-01'],
  ['another parent', [grade, version('1/8/2', '校/甲', ['2026-11-01', null])], '2026-11-01'],
  ['another grade', [grade, version('1/2', '校/甲', ['2026-11-01', null], { grade: '12' })], '2026-11-01'],
  ['what only its parent brings', [grade, version('1/2', '学园/甲', ['2026-11-01', null])], undefined],
  ['a past change', [version('1/2', '校/旧', [from, '2026-09-20']), version('1/2', '校/甲', ['2026-09-20', null])], undefined],
])('a later change is told by %s', (_what, versions, day) => {
  expect(nextOwnChange(versions, '2026-10-01')).toBe(day)
})
