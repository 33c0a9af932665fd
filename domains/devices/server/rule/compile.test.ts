import { JdevTerminal } from '@apps/terminal'
import type { DoorWindow } from '@campus/devices/contract'
import { doorAt, isOffAt, jdevDriver, rowHash } from '@kit/terminal-protocol'
import type { SyncRow } from '@kit/terminal-protocol'
import { describe, expect, test } from 'vitest'
import { compileRules } from './compile.ts'
import type { RuleFact } from './compile.ts'
import { overlaps } from './conflict.ts'
import { calendarDay, mondayOf } from './days.ts'

const workdays = [true, true, true, true, true, false, false]
const every = Array.from({ length: 7 }, () => true)
const at = (text: string) => new Date(`${text}:00+08:00`)
const window = (weekdays: boolean[], begin: string, end: string, mode: DoorWindow['mode']): DoorWindow => ({ weekdays, begin, end, mode, verify: [] })
const door = (rule_id: string, windows: DoorWindow[], more: Partial<RuleFact> = {}): RuleFact => ({ rule_id, priority: 50, valid_from: '2026-01-01', valid_to: null, calendar_mode: 'every_day', body: { kind: 1, unlock_sec: 5, held_open_sec: 0, fire_opens: true, windows }, ...more })

/** How a door stands by these rules, which were told it on the Monday of 21 September 2026. */
function modes(rules: readonly RuleFact[], ...moments: string[]) {
  const body = compileRules(rules, '2026-09-21')
  return moments.map(text => (body?.kind === 'door' ? doorAt(body, at(text))?.mode : undefined))
}

describe('national days', () => {
  test.each([['2026-10-01', 'holiday', null], ['2026-10-10', 'make_up', 3], ['2026-09-20', 'make_up', 2], ['2026-10-08', 'workday', null], ['2026-11-28', 'weekend', null], ['2027-01-01', 'unknown', null]] as const)('%s is a %s', (date, kind, follows_weekday) => {
    expect(calendarDay(date)).toMatchObject({ date, kind, follows_weekday })
  })

  test('a week begins on Monday', () => {
    expect(['2026-11-23', '2026-11-29', '2026-11-30'].map(mondayOf)).toEqual(['2026-11-23', '2026-11-23', '2026-11-30'])
  })
})

describe('rules of a door', () => {
  test('30-A13 an offline gate keeps the schedule of the national holiday and of the Saturday that is worked for it', () => {
    const gate = door('1', [window(workdays, '07:00', '08:00', 'always_open')], { calendar_mode: 'workdays_with_make_up' })
    expect(modes([gate], '2026-09-30T07:30', '2026-10-01T07:30', '2026-10-07T07:30', '2026-10-08T07:30', '2026-10-10T07:30', '2026-10-11T07:30')).toEqual(['always_open', undefined, undefined, 'always_open', 'always_open', undefined])
  })

  test('a make-up Saturday goes by the Wednesday that it replaces', () => {
    const wednesdays = door('1', [window([false, false, true, false, false, false, false], '16:00', '17:00', 'always_open')], { calendar_mode: 'workdays_with_make_up' })
    expect(modes([wednesdays], '2026-10-10T16:00', '2026-10-09T16:00')).toEqual(['always_open', undefined])
  })

  test('what runs over midnight belongs to the day it begins on', () => {
    const nights = door('1', [window(workdays, '22:00', '06:00', 'always_closed')], { valid_from: '2026-09-25', valid_to: '2026-09-25' })
    expect(modes([nights], '2026-09-25T05:00', '2026-09-25T22:00', '2026-09-26T05:59', '2026-09-26T06:00', '2026-09-26T23:00')).toEqual([undefined, 'always_closed', 'always_closed', undefined, undefined])
  })

  test('the greater priority wins, in any order; with the same one closed wins over open', () => {
    const open = door('1', [window(every, '07:00', '12:00', 'always_open')])
    const closed = door('2', [window(every, '08:00', '09:00', 'always_closed')])
    const normal = door('3', [window(every, '08:30', '10:00', 'normal')], { priority: 60 })
    const asked = ['2026-09-22T07:30', '2026-09-22T08:00', '2026-09-22T08:30', '2026-09-22T10:00'] as const
    expect(modes([open, closed, normal], ...asked)).toEqual(['always_open', 'always_closed', 'normal', 'always_open'])
    expect(compileRules([normal, closed, open], '2026-09-21')).toEqual(compileRules([open, closed, normal], '2026-09-21'))
  })

  test('after the days that are told one by one it goes by the week, as far as the rule lasts', () => {
    const lasting = door('1', [window(every, '07:00', '08:00', 'always_open')])
    const ending = door('2', [window(every, '09:00', '10:00', 'always_open')], { valid_to: '2027-06-30' })
    expect(modes([lasting, ending], '2026-12-25T07:30', '2026-12-25T09:30')).toEqual(['always_open', undefined])
  })

  test('without rules nothing is told', () => {
    expect(compileRules([], '2026-09-21')).toBeUndefined()
  })
})

test('a board that goes off at ten in the evening stays on on the day that is named', () => {
  const rule: RuleFact = { rule_id: '9', priority: 50, valid_from: '2026-01-01', valid_to: null, calendar_mode: 'every_day', body: { kind: 2, stays_on: ['2026-09-24'], windows: [{ weekdays: every, begin: '22:00', end: '06:30' }] } }
  const body = compileRules([rule], '2026-09-21')
  expect(['2026-09-23T23:00', '2026-09-24T06:29', '2026-09-24T23:00', '2026-09-25T03:00', '2026-09-25T22:00'].map(text => body?.kind === 'close' && isOffAt(body, at(text)))).toEqual([true, true, false, false, true])
})

describe('rules that meet', () => {
  const of = (weekdays: boolean[], begin: string, end: string, more: Partial<RuleFact> = {}) => door('1', [window(weekdays, begin, end, 'always_open')], more)
  test.each([
    ['touching', of(every, '07:00', '08:00'), of(every, '08:00', '09:00'), false],
    ['meeting', of(every, '07:00', '08:01'), of(every, '08:00', '09:00'), true],
    ['on other weekdays', of(workdays, '07:00', '08:00'), of(workdays.map(day => !day), '07:00', '08:00'), false],
    ['Sunday night into Monday', of([false, false, false, false, false, false, true], '22:00', '06:00'), of([true, false, false, false, false, false, false], '05:00', '07:00'), true],
    ['in other terms', of(every, '07:00', '08:00', { valid_to: '2026-06-30' }), of(every, '07:00', '08:00', { valid_from: '2026-07-01' }), false],
  ])('%s: %s', (_name, a, b, wanted) => {
    expect([overlaps(a, b), overlaps(b, a)]).toEqual([wanted, wanted])
  })
})

/** A terminal that was told these rules on the Monday of 21 September 2026, knows somebody who may always pass and somebody who never may, and has lost its line. */
function playGate(rules: readonly RuleFact[]): { passesAt: (card: string, instant: Date) => boolean } {
  const [client_id, prefix] = ['S1', 'jdev']
  const terminal = new JdevTerminal({ url: '', sn: client_id, secret: '', prefix })
  const put = (k: SyncRow['k'], key: string, body: Record<string, unknown>): SyncRow => ({ k, key, op: 'put', ver: 1, hash: rowHash(body), body })
  const always = { id: 'P1', door: 1, from: '2026-09-01T00:00:00+08:00', to: '2027-02-01T00:00:00+08:00' }
  const people = [['1', ['P1']], ['2', []]] as const
  const rows = [put('permission', 'P1', always), ...people.map(([user_id, permission_ids]) => put('person', user_id, { user_id, name: user_id, no: user_id, kind: 1, permission_ids })), ...people.map(([user_id]) => put('credential', `c${user_id}`, { id: `c${user_id}`, user_id, kind: 'card', code: `CARD${user_id}` })), put('rule', 'door', { ...compileRules(rules, '2026-09-21') })]
  terminal.attach({ send: () => undefined })
  for (const [seq, request] of jdevDriver.plan(rows, jdevDriver.limits('')).requests.entries()) {
    const { topic, bytes } = jdevDriver.encode({ ...request, stamp: { id: `00000000-0000-4000-8000-00000000000${seq}`, seq, epoch: 'e', at: '2026-09-21T00:00:00Z', prefix, client_id } })
    terminal.receive(topic, bytes)
  }
  terminal.attach(undefined)
  return {
    passesAt(card, instant) {
      terminal.faults.clock_offset_ms = instant.getTime() - Date.now()
      return terminal.present('card', card).result === 1
    },
  }
}

test('30-A13 a terminal without a line, by its own clock, opens and closes the gate of the days that are worked, the Saturday among them, and of no day of the national holiday', () => {
  const gate = playGate([door('1', [window(workdays, '07:00', '08:00', 'always_open'), window(workdays, '12:00', '13:00', 'always_closed')], { calendar_mode: 'workdays_with_make_up' })])
  const worked = new Set(['2026-09-28', '2026-09-29', '2026-09-30', '2026-10-08', '2026-10-09', '2026-10-10', '2026-10-12'])
  const clocks = ['00:00', '06:59', '07:00', '07:59', '08:00', '11:59', '12:00', '12:59', '13:00', '23:59']
  const dates = Array.from({ length: 15 }, (_, n) => new Date(Date.UTC(2026, 8, 28 + n)).toISOString().slice(0, 10))
  const asked = dates.flatMap(date => clocks.map(clock => ({ date, clock, is_open: worked.has(date) && clock.startsWith('07'), is_closed: worked.has(date) && clock.startsWith('12') })))
  const seen = asked.map(({ date, clock }) => ({ date, clock, known: gate.passesAt('CARD1', at(`${date}T${clock}`)), nobody: gate.passesAt('CARD2', at(`${date}T${clock}`)) }))
  expect(seen).toEqual(asked.map(({ date, clock, is_open, is_closed }) => ({ date, clock, known: !is_closed, nobody: is_open })))
})
