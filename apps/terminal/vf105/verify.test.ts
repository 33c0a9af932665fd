import { vf105Driver as driver } from '@kit/terminal-protocol/vf105'
import { splitByHoles, wireWeek } from '@kit/terminal-protocol/vf105'
import { rowHash } from '@kit/terminal-protocol'
import { expect, test } from 'vitest'
import { Lab } from '../testing/lab.ts'
import { playVf105 } from '../testing/played.ts'
import { card, person } from '../testing/rows.ts'

const minute_ms = 60_000
const days = { 1: ['07:00-08:30'], 2: ['07:00-08:30'], 3: ['07:00-08:30'], 4: ['07:00-08:30'], 5: ['07:00-08:30'] }
const term = { from: '2026-11-01T00:00:00+08:00', to: '2027-01-20T00:00:00+08:00', weekly: days }
const holiday = { from: '2026-12-07T00:00:00+08:00', to: '2026-12-10T00:00:00+08:00' }

/** What the school has granted: half open, by its own clock. */
function isGranted(at: number): boolean {
  const local = new Date(at + 8 * 60 * minute_ms)
  const minute = local.getUTCHours() * 60 + local.getUTCMinutes()
  const is_in = (range: { from: string; to: string }) => at >= Date.parse(range.from) && at < Date.parse(range.to)
  return is_in(term) && !is_in(holiday) && local.getUTCDay() >= 1 && local.getUTCDay() <= 5 && minute >= 420 && minute < 510
}

test('31-A15 at 400 instants the device lets in whom the school has granted, to the minute', () => {
  const played = playVf105()
  const lab = new Lab(driver, played)
  const permissions = splitByHoles(term, [holiday])
  const rows = permissions.map(body => ({ k: 'permission', key: body.id, op: 'put', ver: 1, hash: rowHash(body), body }) as const)
  expect(rows).toHaveLength(2)
  lab.sync([...rows, person('7', { permission_ids: permissions.map(one => one.id) }), card('70', '7', 'AB12')])
  const start = Date.parse('2026-11-23T08:00:00+08:00')
  const instants = Array.from({ length: 400 }, (_, n) => start + n * 223 * minute_ms)
  const edges = ['2026-11-24T06:58:00+08:00', '2026-11-24T07:01:00+08:00', '2026-11-24T08:28:00+08:00', '2026-11-24T08:31:00+08:00', '2026-12-07T07:30:00+08:00', '2026-12-10T07:30:00+08:00'].map(text => Date.parse(text))
  const all = [...instants, ...edges].toSorted((a, b) => a - b)
  for (const at of all) {
    played.clock.pass(at - played.clock.now())
    played.device.present('200', 'AB12')
  }
  const seen = lab.events().map(({ pass }) => pass?.state === 1)
  expect(seen).toEqual(all.map(isGranted))
  expect(seen.filter(Boolean).length).toBeGreaterThan(15)
})

test.each([
  [{ 1: ['07:00-08:30', '16:00-18:00'] }, { 1: '7:00-8:29|16:00-17:59' }],
  [{ 7: ['22:00-06:00'] }, { 1: '0:00-5:59', 7: '22:00-23:59' }],
  [{ 2: ['00:00-24:00'] }, { 2: '0:00-23:59' }],
])('times of the week: %j', (weekly, wire) => expect(wireWeek(weekly)).toEqual(wire))

test('a permission that the school judges opens nothing by itself', () => {
  const played = playVf105()
  const lab = new Lab(driver, played)
  const body = { id: 'Ponline', door: 1, from: term.from, to: term.to, max_times: 1, online: true }
  lab.sync([{ k: 'permission', key: 'Ponline', op: 'put', ver: 1, hash: rowHash(body), body }, person('7', { permission_ids: ['Ponline'] }), card('70', '7', 'AB12')])
  played.device.present('200', 'AB12')
  expect(lab.events().map(({ pass }) => pass?.refusal)).toEqual(['no_right'])
})

test('a limited number of times is refused where nobody can count', () => {
  const body = { id: 'Pt', door: 1, from: term.from, to: term.to, max_times: 1 }
  expect(driver.plan([{ k: 'permission', key: 'Pt', op: 'put', ver: 1, hash: rowHash(body), body }], driver.limits('any')).blocked).toMatchObject([{ status: 'blocked', code: 'max_times' }])
})
