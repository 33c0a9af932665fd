import type { UpgradeAction } from '@campus/people/contract'
import { describe, expect, test } from 'vitest'
import { ownChoices } from './decide.ts'
import type { PersonChoice } from './decide.ts'
import { nextGrade, nextStageGrade, renamed } from './grade.ts'
import { simulate } from './simulate.ts'
import type { SnapDept, Snapshot } from './snapshot.ts'

const year = '2026-2027'
const ids = { root: '1', five: '10', five_1: '11', five_2: '12', six: '20', six_1: '21', middle: '30' }

type Named = readonly [dept_id: string, dept_type: number, parent_id: string | null, dept_name: string, grade: string | null]

function dept([dept_id, dept_type, parent_id, dept_name, grade]: Named, more: Partial<SnapDept> = {}): SnapDept {
  const path = parent_id === null ? `/${dept_id}/` : `/1/${dept_id}/`
  return { dept_id, dept_type, parent_id, dept_name, grade, stage: grade?.[0] ?? null, enrol_year: 2021, class_no: dept_type === 4 ? 1 : null, class_type: null, capacity: null, name_auto: true, opened_on: '2026-09-01', show_order: 1, node_path: path, later: false, ...more }
}
const school: Snapshot = {
  school_id: 1001,
  on: '2027-08-31',
  depts: [
    dept([ids.root, 1, null, '学校', null]), dept([ids.middle, 2, ids.root, '初中部', null], { stage: '2' }),
    dept([ids.five, 3, ids.root, '五年级', '15']), dept([ids.five_1, 4, ids.five, '五年级1班', '15']), dept([ids.five_2, 4, ids.five, '五年级实验班', '15'], { name_auto: false, class_no: 2 }),
    dept([ids.six, 3, ids.root, '六年级', '16']), dept([ids.six_1, 4, ids.six, '六年级1班', '16']),
  ],
  pupils: [
    { user_id: '101', dept_id: ids.five_1, state: '01', later: false }, { user_id: '102', dept_id: ids.five_2, state: '02', later: false },
    { user_id: '103', dept_id: ids.six_1, state: '01', later: false }, { user_id: '104', dept_id: ids.six_1, state: '01', later: false },
  ],
}
const own = ownChoices(school, year)
const plan = (people: PersonChoice[] = [], actions: Record<string, UpgradeAction | null> = {}, is_pool = false) => simulate(school, {
  school_year: year, people, items: own.map(item => ({ ...item, action: item.dept_id in actions ? (actions[item.dept_id] ?? null) : item.action, is_pool })),
})
const person = (user_id: string, action: PersonChoice['action'], target_dept_id: string | null): PersonChoice => ({ user_id, action, target_dept_id, reason: '申请' })
const wrong = (...args: Parameters<typeof plan>) => plan(...args).unmapped.map(one => `${one.name || one.user_id}：${one.reason}`)

test('grades follow each other inside their stage, stages follow each other', () => {
  expect(['01', '03', '11', '16', '23', '33', '41', '43', null, 'xx'].map(nextGrade)).toEqual(['02', null, '12', null, null, null, '42', null, null, null])
  expect(['03', '16', '23', '33', '43', null].map(nextStageGrade)).toEqual(['11', '21', '31', null, null, null])
  expect([renamed('一年级1班', '11', '12'), renamed('一年级实验班', '11', '12'), renamed('火箭班', '11', '12'), renamed('高一年级', '31', '32')]).toEqual(['二年级1班', '二年级实验班', '火箭班', '高二年级'])
})

test('20-A5 the same snapshot gives the same plan to the byte, another pupil another one', () => {
  const one = plan()
  expect(JSON.stringify(plan())).toBe(JSON.stringify(one))
  const other = simulate({ ...school, pupils: school.pupils.slice(1) }, { school_year: year, people: [], items: own })
  expect([other.base_hash === one.base_hash, other.plan_hash === one.plan_hash]).toEqual([false, false])
})

test('normal pupils do not move, the highest grade comes first, the last grade goes on in new classes of the next stage', () => {
  const { renewals, closings, made, moves, totals, unmapped } = plan()
  expect(unmapped).toEqual([])
  expect(renewals.map(one => one.dept_name)).toEqual(['六年级', '六年级1班', '六年级实验班'])
  expect(closings).toEqual([ids.six, ids.six_1])
  expect(made.map(one => [one.dept_name, one.parent, one.enrol_year])).toEqual([['七年级', ids.middle, 2027], ['七年级1班', made[0]?.key, 2027]])
  expect(moves.map(move => [move.user_id, move.kind, move.to])).toEqual([['103', 'CLASS', made[1]?.key], ['104', 'CLASS', made[1]?.key]])
  expect(totals).toMatchObject({ before: 4, after: 4, continued: 2, suspended: 1 })
})

test('a pool takes all who continue into one class', () => {
  const { made, sizes } = plan([], {}, true)
  expect(made.map(one => one.dept_name)).toEqual(['七年级', '待分班'])
  expect(sizes.get(made[1]?.key ?? '')).toBe(2)
})

describe('what keeps a plan from being signed', () => {
  const cases: [string, string[], string[]][] = [
    ['nothing chosen', wrong([], { [ids.five_1]: null }), ['五年级1班：未选择去向']],
    ['a class against its grade', wrong([], { [ids.five_1]: 'GRADUATE' }), ['五年级1班：与所在年级的去向不一致']],
    ['no next grade', wrong([], { [ids.six]: 'UPGRADE', [ids.six_1]: 'UPGRADE' }), ['六年级：没有下一年级，请选择毕业离校或升入下一学段', '六年级1班：没有下一年级，请选择毕业离校或升入下一学段', '六年级：升级后同级下有同名部门，请填写新的名称']],
    ['pupils in a class that closes', wrong([], { [ids.five_1]: 'CLOSE' }), ['五年级1班：还有1名学生，不能关闭']],
    ['the same name twice', wrong([], { [ids.six]: 'HOLD', [ids.six_1]: 'HOLD' }), ['六年级：升级后同级下有同名部门，请填写新的名称']],
    ['a pupil who is gone', wrong([person('999', 'OUT', null)]), ['999：学生已不在班级，请移除该例外']],
    ['repeating into the own year', wrong([person('103', 'REPEAT', ids.six_1)]), ['103：所选班级与原班级相同']],
    ['repeating into the class below', wrong([person('103', 'REPEAT', ids.five_1)]), []],
    ['skipping into the next stage', wrong([person('101', 'SKIP', ids.six_1)]), []],
    ['another class of another year', wrong([person('101', 'CLASS', ids.six_1)]), ['101：调班须选择同年级的班级']],
    ['a class that is no more', wrong([person('103', 'STAY', ids.five_1)], { [ids.five]: 'CLOSE', [ids.five_1]: 'CLOSE', [ids.five_2]: 'CLOSE' }), ['五年级1班：还有1名学生，不能关闭', '五年级实验班：还有1名学生，不能关闭', '103：所选班级不再开设，请选择其他班级']],
  ]
  test.each(cases)('%s', (_, found, expected) => expect(found).toEqual(expected))
})
