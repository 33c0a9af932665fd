import type { DayLesson } from '@campus/teaching/contract'
import { expect, test } from 'vitest'
import { findChains } from './chain.service.ts'
import { propose } from './proposal.ts'
import type { Candidate } from './proposal.ts'

const at = (clock: string) => Date.parse(`2026-09-07T${clock}:00+08:00`)
const lesson: DayLesson = {
  lesson_day_id: '1', date: '2026-09-07', weekday: 1, section: 2, span: 1, begin_at: '2026-09-07T08:55:00+08:00', end_at: '2026-09-07T09:40:00+08:00', class_id: '5',
  class_name: '三年级1班', course_id: '1', course_name: '语文', color: '#4F8DF7', place_id: null, place_name: null, teachers: [{ user_id: '9', user_name: '张伟' }], state: 1, plan_date: null,
}
const wanted = { lesson, subject: '13', grade: '13' }
const free: Candidate = { user_id: '1', user_name: '李娜', teaches: new Set(), subjects: new Set(), class_ids: new Set(), today: [], away: [], net: 0 }
const busy = (begin: string, end: string) => ({ begin: at(begin), end: at(end), lesson_day_id: '2', state: 1 })
const scoreOf = (more: Partial<Candidate>) => propose(wanted, { ...free, ...more })?.score ?? null

test('50-A15 a substitute is free and present; subject, class, nearness and fairness rank him, each with its reason', () => {
  expect(scoreOf({ today: [busy('08:00', '09:00')] })).toBeNull()
  expect(scoreOf({ away: [{ begin: at('00:00'), end: at('23:00') }] })).toBeNull()
  expect(scoreOf({ user_id: '9' })).toBeNull()
  expect(scoreOf({ today: Array.from({ length: 7 }, () => busy('14:00', '14:45')) })).toBeNull()
  expect(scoreOf({ today: [busy('08:00', '08:45')] })).toBe(65)
  expect([scoreOf({}), scoreOf({ subjects: new Set(['13']) }), scoreOf({ teaches: new Set(['13 13']), subjects: new Set(['13']) })]).toEqual([50, 75, 90])
  expect([scoreOf({ net: 3 }), scoreOf({ net: -2 }), scoreOf({ class_ids: new Set(['5']) })]).toEqual([38, 58, 70])
  expect(propose(wanted, { ...free, net: 2, class_ids: new Set(['5']) })?.reasons).toEqual(['任教本班', '本学期已净代2节'])
})

test('50-A15 when nobody is free, who teaches the subject takes it and somebody free takes his own lesson; who is away is in no chain',
  () => {
  const inner = { lesson: { ...lesson, lesson_day_id: '2', class_name: '三年级2班', course_name: '数学',
    teachers: [{ user_id: '1', user_name: '李娜' }] }, subject: '14', grade: '13' }
  const first: Candidate = { ...free, subjects: new Set(['13']), today: [busy('08:55', '09:40')] }
  const second: Candidate = { ...free, user_id: '2', user_name: '王芳' }
  const day = new Map([['2', inner]])
  expect(findChains(wanted, [first, second], day)).toEqual([{ teacher_ids: ['1', '2'], text: '李娜代本节，王芳代李娜的三年级2班 数学', score: 125 }])
  expect(findChains(wanted, [first, { ...second, away: [{ begin: at('00:00'), end: at('23:00') }] }], day)).toEqual([])
  expect(findChains(wanted, [{ ...first, subjects: new Set(['14']) }, second], day)).toEqual([])
  expect(findChains(wanted, [{ ...first, today: [{ ...busy('08:55', '09:40'), state: 2 }] }, second], day)).toEqual([])
  expect(findChains(wanted, [first, { ...second, user_id: '9' }], day)).toEqual([])
})
