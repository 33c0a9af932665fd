import { describe, expect, test } from 'vitest'
import { convertPoint, mapAddress, readPoint } from './map-point.ts'
import type { MapPoint, MapSystem } from './map-point.ts'

const at = (lng: number, lat: number): MapPoint => ({ lng, lat })
const metres = (a: MapPoint, b: MapPoint) => Math.hypot((a.lng - b.lng) * 111_320 * Math.cos((a.lat / 180) * Math.PI), (a.lat - b.lat) * 110_940)

test.each<[string, MapPoint, MapSystem, MapSystem, MapPoint]>([
  ['satellite to Chinese', at(116.404, 39.915), 3, 1, at(116.410244, 39.916404)],
  ['Chinese to satellite', at(116.404, 39.915), 1, 3, at(116.397755, 39.913596)],
  ['Chinese to Baidu', at(116.404, 39.915), 1, 2, at(116.410369, 39.921337)],
  ['Baidu to Chinese', at(116.404, 39.915), 2, 1, at(116.397627, 39.908657)],
  ['satellite to Baidu', at(116.404, 39.915), 3, 2, at(116.416627, 39.922699)],
  ['Baidu to satellite', at(116.404, 39.915), 2, 3, at(116.391386, 39.907255)],
])('%s', (_what, point, from, to, wanted) => {
  expect(metres(convertPoint(point, from, to), wanted)).toBeLessThan(1)
})

describe.each<[string, MapPoint]>([
  ['Qingdao', at(120.382612, 36.067108)],
  ['Ürümqi', at(87.616848, 43.825592)],
  ['Sanya', at(109.511909, 18.252847)],
  ['Mohe', at(122.538592, 52.972272)],
])('in %s', (_where, point) => {
  test.each<[MapSystem, MapSystem]>([[1, 2], [1, 3], [2, 1], [2, 3], [3, 1], [3, 2]])('from %i to %i and back is the same place to 0.2 m', (from, to) => {
    expect(metres(convertPoint(convertPoint(point, from, to), to, from), point)).toBeLessThan(0.2)
  })
  test('the systems lie some hundred metres apart', () => {
    for (const [from, to] of [[3, 1], [1, 2], [3, 2]] as const) {
      const apart = metres(convertPoint(point, from, to), point)
      expect(apart).toBeGreaterThan(30)
      expect(apart).toBeLessThan(2000)
    }
  })
})

test('outside China nothing is shifted, and a system is itself', () => {
  expect(convertPoint(at(-0.1276, 51.5072), 3, 1)).toEqual(at(-0.1276, 51.5072))
  expect(convertPoint(at(120.1234567, 36.1), 2, 2)).toEqual(at(120.1234567, 36.1))
})

test.each<[string, MapPoint | null]>([
  ['120.382612,36.067108', at(120.382612, 36.067108)],
  [' 120.382612， 36.067108 ', at(120.382612, 36.067108)],
  ['120.38 36.06', at(120.38, 36.06)],
  ['120.38°, 36.06°', at(120.38, 36.06)],
  ['-70.6,-33.4', at(-70.6, -33.4)],
  ['36.067108', null],
  ['200,36', null],
  ['120,95', null],
  ['青岛市', null],
  ['', null],
])('%j is read as a pair', (text, point) => {
  expect(readPoint(text)).toEqual(point)
})

test('the address of a map is filled in, in the system of the map; without one there is none', () => {
  const point = at(116.404, 39.915)
  expect(mapAddress('https://map.example.cn/m?p={gcj_lng},{gcj_lat}&n={name}', point, 1, '启明 学校')).toBe('https://map.example.cn/m?p=116.404,39.915&n=%E5%90%AF%E6%98%8E%20%E5%AD%A6%E6%A0%A1')
  const [, lng, lat] = /p=([\d.]+),([\d.]+)/.exec(mapAddress('https://map.example.cn/?p={bd_lng},{bd_lat}', point, 1, '') ?? '') ?? []
  expect(metres(at(Number(lng), Number(lat)), at(116.410369, 39.921337))).toBeLessThan(1)
  for (const none of [null, '']) expect(mapAddress(none, point, 1, '')).toBeNull()
})
