import { describe, expect, test } from 'vitest'
import { closedParts, doorAt, isOffAt, judgePass, lastTurn, PermissionBody, permissionId, silenceOf, watchingWeek, withoutClosed } from '../index.ts'
import type { DoorRuleBody, Scene, WarnRuleBody } from '../index.ts'

const at = (text: string) => new Date(`${text}:00+08:00`)
const span = (from: string, to: string, mode: 'normal' | 'always_open' | 'always_closed' = 'always_closed') => ({ from, to, mode, verify: [] })
const door = (dates: DoorRuleBody['dates'], weekly: DoorRuleBody['weekly'] = {}): DoorRuleBody => ({ kind: 'door', unlock_sec: 5, held_open_sec: 0, fire_opens: true, dates, weekly })
const permission = (weekly?: PermissionBody['weekly']): PermissionBody => {
  const content = { door: 1, from: '2026-11-01T00:00:00.000Z', to: '2027-01-31T16:00:00.000Z', ...(weekly ? { weekly } : {}) }
  return { id: permissionId(content), ...content }
}

describe('what a terminal does by its rules', () => {
  const body = door([{ date: '2026-11-24', windows: [span('07:00', '08:00', 'always_open'), span('22:00', '24:00')] }], { 3: [span('00:00', '06:00')] })
  const asks = (text: string, verify = 2) => judgePass({ permissions: [permission()], door: body, at: at(text), verify }).reason

  test('a window begins with its first minute and ends before its last', () => {
    expect(['2026-11-24T06:59', '2026-11-24T07:00', '2026-11-24T07:59', '2026-11-24T08:00', '2026-11-24T23:59'].map(text => asks(text))).toEqual(['right', 'always_open', 'always_open', 'right', 'always_closed'])
  })

  test('after the days it was told one by one it goes by the week', () => {
    expect(doorAt(body, at('2026-11-25T05:59'))?.mode).toBe('always_closed')
    expect(doorAt(body, at('2026-11-26T05:59'))).toBeUndefined()
  })

  test('fire opens a closed door, unless the rule says that it does not', () => {
    const ask = (fire_opens: boolean) => judgePass({ permissions: [], door: { ...body, fire_opens }, at: at('2026-11-24T23:00'), verify: 2, is_fire: true })
    expect([ask(true), ask(false)]).toEqual([{ result: 1, reason: 'fire' }, { result: 3, reason: 'always_closed' }])
  })

  test('a rule may want faces alone', () => {
    const faces = door([{ date: '2026-11-24', windows: [{ ...span('00:00', '24:00', 'normal'), verify: [1] }] }])
    const ask = (verify: number) => judgePass({ permissions: [permission()], door: faces, at: at('2026-11-24T12:00'), verify }).result
    expect([ask(1), ask(2)]).toEqual([1, 2])
  })

  test('a device that is off since the evening says since when', () => {
    const off = { kind: 'close' as const, dates: [], weekly: { 2: [{ from: '22:00', to: '24:00' }], 3: [{ from: '00:00', to: '06:30' }] } }
    expect([at('2026-11-24T21:59'), at('2026-11-24T22:00'), at('2026-11-25T06:29'), at('2026-11-25T06:30')].map(moment => isOffAt(off, moment))).toEqual([false, true, true, false])
    expect(lastTurn(off, at('2026-11-25T03:00'))).toEqual(at('2026-11-24T22:00'))
    expect(lastTurn(off, at('2026-11-25T06:45'))).toEqual(at('2026-11-25T06:30'))
  })
})

describe('closed times of hardware that knows no rules', () => {
  const days = Array.from({ length: 8 }, (_, n) => ({ date: new Date(Date.UTC(2026, 10, 23 + n)).toISOString().slice(0, 10), windows: [span('22:00', '24:00')] }))
  const every_day = { 1: [span('22:00', '24:00')], 2: [span('22:00', '24:00')], 3: [span('22:00', '24:00')], 4: [span('22:00', '24:00')], 5: [span('22:00', '24:00')], 6: [span('22:00', '24:00')], 7: [span('22:00', '24:00')] }

  test('what is the same every week is one permission without a new beginning', () => {
    const parts = closedParts(door(days, every_day))
    expect(parts).toHaveLength(1)
    const [narrow, ...more] = withoutClosed(permission(), parts)
    expect(more).toEqual([])
    expect([narrow?.from, narrow?.to, narrow?.weekly?.['1']]).toEqual([permission().from, permission().to, ['00:00-22:00']])
  })

  test('a day that differs is a permission of its own', () => {
    const other = days.map(day => (day.date === '2026-11-25' ? { ...day, windows: [span('08:00', '10:00')] } : day))
    const made = withoutClosed(permission({ 3: ['07:00-12:00'] }), closedParts(door(other, every_day)))
    const open = (text: string) => judgePass({ permissions: made, door: undefined, at: at(text), verify: 2 }).result === 1
    expect(['2026-11-25T07:30', '2026-11-25T08:00', '2026-11-25T09:59', '2026-11-25T10:00', '2026-12-02T08:30', '2026-12-02T12:00'].map(open)).toEqual([true, false, false, true, true, false])
  })

  test('30-A26 every sampled minute of six weeks is as the rule and the right say together', () => {
    const body = door(Array.from({ length: 28 }, (_, n) => ({ date: new Date(Date.UTC(2026, 10, 23 + n)).toISOString().slice(0, 10), windows: n % 5 === 0 ? [] : [span('09:00', '11:30'), span('21:00', '24:00')] })), { 6: [span('00:00', '24:00')], 7: [span('00:00', '24:00')] })
    const right = permission({ 1: ['06:00-22:00'], 3: ['20:00-02:00'], 6: ['10:00-12:00'] })
    const made = withoutClosed(right, closedParts(body))
    expect(made.every(one => PermissionBody.safeParse(one).success)).toBe(true)
    const sampled = Array.from({ length: 42 * 96 }, (_, n) => new Date(at('2026-11-23T00:00').getTime() + n * 15 * 60_000))
    const wrong = sampled.filter(moment => {
      const is_open = judgePass({ permissions: [right], door: body, at: moment, verify: 2 }).result === 1
      return is_open !== (judgePass({ permissions: made, door: undefined, at: moment, verify: 2 }).result === 1)
    })
    expect(wrong.map(moment => moment.toISOString())).toEqual([])
  })
})

describe('what a box warns of', () => {
  const days = (...on: number[]) => Array.from({ length: 7 }, (_, day) => on.includes(day + 1))
  const rule: WarnRuleBody = { kind: 'warn', rule_id: '7', warn_kind: '4', cameras: [{ sn: 'C1', roi: [{ x: 0.2, y: 0.2 }, { x: 0.8, y: 0.2 }, { x: 0.8, y: 0.8 }, { x: 0.5, y: 0.4 }, { x: 0.2, y: 0.8 }] }, { sn: 'C2' }], weekly: { 2: [{ from: '07:00', to: '08:00' }] }, sensitivity: 60, dwell_sec: 10 }
  const scene: Scene = { kind: '4', camera: 'C1', x: 0.3, y: 0.5, score: 40, lasts_s: 10, at: at('2026-11-24T07:00') }

  test.each<[string, Partial<Scene>, ReturnType<typeof silenceOf>]>([
    ['everything fits', {}, null],
    ['another kind', { kind: '5' }, 'kind'],
    ['a camera that is not named', { camera: 'C3' }, 'camera'],
    ['a camera without an area', { camera: 'C2', x: 0.99, y: 0.99 }, null],
    ['beside the area', { x: 0.1 }, 'area'],
    ['in the notch of the area', { x: 0.5, y: 0.7 }, 'area'],
    ['a minute too early', { at: at('2026-11-24T06:59') }, 'time'],
    ['at the end of the window', { at: at('2026-11-24T08:00') }, 'time'],
    ['on another weekday', { at: at('2026-11-25T07:00') }, 'time'],
    ['not sure enough', { score: 39 }, 'score'],
    ['over too soon', { lasts_s: 9 }, 'dwell'],
  ])('%s', (_name, more, wanted) => {
    expect(silenceOf(rule, { ...scene, ...more })).toBe(wanted)
  })

  test('windows are cut at midnight, Sunday night goes on on Monday, and what meets is one', () => {
    expect(watchingWeek([{ weekdays: days(7), begin: '22:00', end: '06:00' }, { weekdays: days(1), begin: '05:00', end: '07:00' }, { weekdays: days(3), begin: '20:00', end: '24:00' }, { weekdays: days(5), begin: '20:00', end: '00:00' }])).toEqual({
      1: [{ from: '00:00', to: '07:00' }], 3: [{ from: '20:00', to: '24:00' }], 5: [{ from: '20:00', to: '24:00' }], 7: [{ from: '22:00', to: '24:00' }],
    })
    expect(watchingWeek([])).toBeUndefined()
  })
})
