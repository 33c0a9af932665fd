import { expect, test } from 'vitest'
import { findAbnormals } from './find.ts'
import type { Seen } from './find.ts'

let made = 0
const pass = (clock: string, more: Partial<Seen> = {}): Seen => {
  made += 1
  return {
    key: `k${made}`,
    subject_kind: 1,
    subject_id: '7',
    dept_id: '3',
    place_id: '20',
    device_id: '40',
    direction: 1,
    result: 1,
    judge: 1,
    at: new Date(`2026-11-20T${clock}:00+08:00`),
    is_perimeter: true,
    leaves_lesson: false,
    detail: null,
    ...more,
  }
}
const kindsOf = (passes: Seen[]) => findAbnormals(passes).map(one => one.kind)
const refused = { result: 3 }
const stranger = { subject_kind: 5, subject_id: null, result: 2 }

test.each<[name: string, passes: () => Seen[], kinds: number[]]>([
  ['a pass like any other', () => [pass('07:20')], []],
  ['let through without a right', () => [pass('07:20', { judge: 2 })], [1]],
  ['refused with a right', () => [pass('07:20', { ...refused, judge: 3 })], [2]],
  ['three refusals in ten minutes', () => [pass('07:20', refused), pass('07:24', refused), pass('07:30', refused)], [5]],
  ['three refusals in more than ten minutes', () => [pass('07:20', refused), pass('07:24', refused), pass('07:31', refused)], []],
  ['two doors within a minute', () => [pass('07:20'), pass('07:21', { place_id: '21', is_perimeter: false })], [6]],
  ['in twice by two lanes', () => [pass('07:20'), pass('07:24', { device_id: '41' })], [7]],
  ['in, out and in again', () => [pass('07:20'), pass('07:22', { direction: 2 }), pass('07:24', { device_id: '41' })], []],
  ['a pupil who goes out in the middle of a lesson', () => [pass('10:20', { direction: 2, leaves_lesson: true })], [8]],
  ['a pupil at night', () => [pass('23:10')], [9]],
  ['a teacher at night', () => [pass('23:10', { subject_kind: 2 })], []],
  ['a stranger who tries three times', () => [pass('10:00', stranger), pass('10:10', stranger), pass('10:29', stranger)], [10]],
  [
    'strangers at other doors',
    () => [pass('10:00', stranger), pass('10:10', { ...stranger, device_id: '41' }), pass('10:29', stranger)],
    [],
  ],
  ['a card that is lost', () => [pass('10:00', { result: 9 })], [12]],
])('%s', (_, passes, kinds) => {
  expect(kindsOf(passes())).toEqual(kinds)
})

test('the same passes in another order say the same, each finding once with all of its passes', () => {
  const passes = ['07:20', '07:22', '07:24', '07:26'].map(clock => pass(clock, refused))
  const found = findAbnormals(passes)
  expect(found).toMatchObject([{ kind: 5, subject_key: '1/7', evidence: passes.map(one => one.key) }])
  expect(findAbnormals(passes.toReversed())).toEqual(found)
})
