import type { DayLesson } from '@campus/teaching/contract'
import { expect, test } from 'vitest'
import { propose } from './proposal.ts'
import type { Candidate } from './proposal.ts'

const at = (clock: string) => Date.parse(`2026-09-07T${clock}:00+08:00`)
const lesson: DayLesson = {
  lesson_day_id: '1', date: '2026-09-07', weekday: 1, section: 2, span: 1, begin_at: '2026-09-07T08:55:00+08:00', end_at: '2026-09-07T09:40:00+08:00', class_id: '5',
  class_name: '三年级1班', course_id: '1', course_name: '语文', color: '#4F8DF7', place_id: null, place_name: null, teachers: [{ user_id: '9', user_name: '张伟' }], state: 1, plan_date: null,
}
const wanted = { lesson, subject: '13', grade: '13' }
const free: Candidate = { user_id: '1', user_name: '李娜', teaches: new Set(), subjects: new Set(), class_ids: new Set(), today: [], away: [], net: 0 }
const scoreOf = (more: Partial<Candidate>) => propose(wanted, { ...free, ...more })?.score ?? null

test('50-A15 a substitute is free and present; subject, class, nearness and fairness rank him, each with its reason', () => {
  expect(scoreOf({ today: [{ begin: at('08:00'), end: at('09:00') }] })).toBeNull()
  expect(scoreOf({ away: [{ begin: at('00:00'), end: at('23:00') }] })).toBeNull()
  expect(scoreOf({ user_id: '9' })).toBeNull()
  expect(scoreOf({ today: Array.from({ length: 7 }, () => ({ begin: at('14:00'), end: at('14:45') })) })).toBeNull()
  expect(scoreOf({ today: [{ begin: at('08:00'), end: at('08:45') }] })).toBe(65)
  expect([scoreOf({}), scoreOf({ subjects: new Set(['13']) }), scoreOf({ teaches: new Set(['13 13']), subjects: new Set(['13']) })]).toEqual([50, 75, 90])
  expect([scoreOf({ net: 3 }), scoreOf({ net: -2 }), scoreOf({ class_ids: new Set(['5']) })]).toEqual([38, 58, 70])
  expect(propose(wanted, { ...free, net: 2, class_ids: new Set(['5']) })?.reasons).toEqual(['任教本班', '本学期已净代2节'])
})
