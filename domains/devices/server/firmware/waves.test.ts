import { describe, expect, test } from 'vitest'
import { assignWaves, compareVersions, isInWindow, nextStep } from './waves.ts'
import type { Upgrading } from './waves.ts'

const device = (device_id: string, wave: number, state: Upgrading['state'] = 'QUEUED', online = true): Upgrading => ({ device_id, wave, state, online })
const room = 20

describe('30-A30 waves', () => {
  test('of 25 one goes first, three follow, then all; who is there goes before who is not', () => {
    const waves = assignWaves(Array.from({ length: 25 }, (_, at) => ({ device_id: String(at), online: at > 0 })))
    expect([waves.get('0'), waves.get('1'), [...waves.values()].filter(wave => wave === 2).length]).toEqual([3, 1, 3])
  })

  test.each<[string, number, Upgrading[], Partial<ReturnType<typeof nextStep>>]>([
    ['the first wave starts alone', 1, [device('1', 1), device('2', 2), device('3', 3)], { start: ['1'], wave: 1 }],
    ['nobody follows before it is there', 1, [device('1', 1, 'UPDATING'), device('2', 2)], { start: [], wave: 1 }],
    ['the next wave begins when it is', 1, [device('1', 1, 'UPDATED'), device('2', 2), device('3', 3)], { start: ['2'], wave: 2 }],
    ['a failed first device stops the task', 1, [device('1', 1, 'FAILED'), device('2', 2)], { hold: '第1批1台中有1台失败' }],
    ['one of thirty may fail', 3, [...Array.from({ length: 29 }, (_, at) => device(String(at), 3, 'UPDATED')), device('29', 3, 'FAILED')], { hold: null, is_done: true }],
    ['two of thirty may not', 3, [...Array.from({ length: 28 }, (_, at) => device(String(at), 3)), device('28', 3, 'FAILED'), device('29', 3, 'FAILED')], { hold: '第3批30台中有2台失败' }],
    ['more than a tenth may not', 2, [device('0', 1, 'UPDATED'), ...Array.from({ length: 8 }, (_, at) => device(`a${at}`, 2)), device('b', 2, 'FAILED')], { hold: '第2批9台中有1台失败' }],
    ['who is away waits and holds up nobody', 2, [device('1', 1, 'UPDATED'), device('2', 2, 'UPDATED'), device('3', 2, 'QUEUED', false), device('4', 3)], { start: ['4'], wave: 3, is_done: false }],
    ['who is back again is started, whatever the wave', 3, [device('1', 1, 'UPDATED'), device('2', 2, 'UPDATED'), device('3', 2), device('4', 3, 'UPDATING')], { start: ['3'] }],
    ['a wave in which nobody is there begins nothing', 2, [device('1', 1, 'UPDATED'), device('2', 2, 'QUEUED', false), device('3', 3)], { start: [], wave: 2 }],
    ['everybody has it', 3, [device('1', 1, 'UPDATED'), device('2', 2, 'CANCELED')], { is_done: true }],
  ])('%s', (_name, wave, devices, step) => {
    expect(nextStep(wave, devices, room)).toMatchObject(step)
  })

  test('so many fetch at once as there is room for', () => {
    const devices = [device('1', 1, 'UPDATED'), device('2', 2, 'UPDATED'), ...Array.from({ length: 9 }, (_, at) => device(`d${at}`, 3))]
    expect([nextStep(3, devices, 4).start.length, nextStep(3, devices, -1).start.length]).toEqual([4, 0])
  })
})

test.each([['1.2.10', '1.2.9', 1], ['1.2', '1.2.0', 0], ['v2.0', '1.9', 1], ['1.0.0', '1.0.1', -1], ['vf105_v12_2.0.1.3', 'vf105_v12_2.0.1.2', 1]])('version %s against %s: %i', (a, b, sign) => {
  expect(Math.sign(compareVersions(a, b))).toBe(sign)
})

test.each([['23:00', true], ['04:59', true], ['05:00', false], ['12:00', false]])('a window over midnight at %s: %j', (minute, is_in) => {
  expect(isInWindow(minute, '22:00', '05:00')).toBe(is_in)
})
