import { expect, test } from 'vitest'
import { invigilate, loadOf, refusalOf } from './invigilate.ts'
import type { Sitting, Teacher } from './invigilate.ts'

const hour = 3_600_000
const minutes = [150, 120, 75, 120, 75, 75, 90, 60, 60]
const sittings = minutes.map((length, at): Sitting => {
  const begin = Math.floor(at / 3) * 24 * hour + (at % 3) * 3 * hour
  const rooms = Array.from({ length: 15 }, (_, n) => ({ room_id: `r${n}`, dept_ids: n < 10 ? [`d${n}`] : [], subjects: [String(at)] }))
  return { session_id: `s${at}`, day: `day${Math.floor(at / 3)}`, begin, end: begin + length * 60_000, minutes: length, rooms }
})
const teachers = Array.from({ length: 60 }, (_, at): Teacher => ({ user_id: `t${String(at).padStart(2, '0')}`, busy: [], own_dept_ids: at < 10 ? [`d${at}`] : [], subjects: [String(at % 9)], share: 1, ledger: 0 }))

test('55-A21 60 teachers, 9 sessions, 15 rooms of two: nothing unfilled, no hard rule broken, the load even', () => {
  for (const seed of [1, 2, 3]) {
    const { posts, unfilled, spread } = invigilate({ sittings, teachers, per_room: 2, seed })
    expect([posts.length, unfilled]).toEqual([270, []])
    expect(spread).toBeLessThanOrEqual(Math.max(...minutes))
    for (const post of posts) {
      const [sitting, teacher] = [sittings.find(one => one.session_id === post.session_id), teachers.find(one => one.user_id === post.user_id)]
      const room = sitting?.rooms.find(one => one.room_id === post.room_id)
      const others = posts.filter(one => one !== post)
      expect(sitting && teacher && room && refusalOf(teacher, { sitting, room }, others, sittings)).toBeNull()
    }
  }
})

test('55-A21 who has served more this school year gets less; the same seed gives the same roster', () => {
  const served = teachers.map(one => ({ ...one, ledger: one.user_id === 't30' ? 150 : 0 }))
  const roster = invigilate({ sittings, teachers: served, per_room: 2, seed: 5 })
  const of = (id: string) => roster.posts.filter(one => one.user_id === id).reduce((sum, one) => sum + one.minutes, 0)
  const others = teachers.filter(one => one.user_id !== 't30').map(one => of(one.user_id))
  expect(of('t30')).toBeLessThan(others.reduce((sum, one) => sum + one, 0) / others.length)
  expect(invigilate({ sittings, teachers: served, per_room: 2, seed: 5 }).plan_hash).toBe(roster.plan_hash)
  expect(roster.posts.every(one => one.reason.includes('分钟'))).toBe(true)
})

test('a teacher who is busy, or leads the class, gets no such post; what finds nobody is named', () => {
  const [sitting] = sittings
  if (!sitting) throw new Error('no session')
  const one = { ...sitting, rooms: sitting.rooms.slice(0, 1) }
  const [leader, busy] = [{ ...teachers[0], user_id: 'a', own_dept_ids: ['d0'] }, { ...teachers[1], user_id: 'b', own_dept_ids: [], busy: [{ begin: 0, end: hour }] }]
  const plain = { busy: [], subjects: [], share: 1, ledger: 0 }
  const roster = invigilate({ sittings: [one], teachers: [{ ...plain, ...leader }, { ...plain, ...busy }], per_room: 1, seed: 1 })
  expect([roster.posts, roster.unfilled]).toEqual([[], [{ session_id: 's0', room_id: 'r0', role: 1 }]])
  expect(loadOf({ ...plain, user_id: 'c', own_dept_ids: [], share: 0.8, ledger: 80 }, [])).toBe(100)
})
