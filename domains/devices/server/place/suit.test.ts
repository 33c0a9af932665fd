import { expect, test } from 'vitest'
import { suitDevices } from './suit.ts'

const spot = (place_id: string, place_kind: number, more: Partial<Parameters<typeof suitDevices>[1][number]> = {}) => ({ place_id, place_kind, place_name: `室${place_id}`, private_zone: false, ...more })
const spots = [spot('1', 9), spot('2', 4), spot('3', 5, { place_name: '音乐室' }), spot('4', 23, { private_zone: true, place_name: '卫生间' })]
const thing = (device_type: string, device_name = '新设备', place_id: string | null = null) => ({ device_id: `${device_type} ${device_name}`, device_name, device_type, place_id })

test.each([
  ['a class board goes to the first classroom without one', [thing('03')], ['03 2'], ['3']],
  ['two of a kind go to two places, a third finds none', [thing('03', '甲'), thing('03', '乙'), thing('03', '丙')], [], ['2', '3']],
  ['the place that its name names goes first', [thing('03', '音乐室班牌')], [], ['3']],
  ['a terminal for faces stands at a gate, never in a private zone its name names', [thing('01', '卫生间终端')], [], ['1']],
  ['what is made for no kind of place goes nowhere by itself', [thing('20')], [], []],
])('%s', (_title, things, taken, expected) => {
  expect(suitDevices(things, spots, new Set(taken), 'device').map(pair => pair.place_id)).toEqual(expected)
})

test('a camera watches the place where it stands while nothing else does', () => {
  expect(suitDevices([thing('06', '球机', '2'), thing('06', '音乐室枪机', '2')], spots, new Set(), 'camera').map(pair => pair.place_id)).toEqual(['2', '3'])
})
