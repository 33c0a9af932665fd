/** A point of the earth in degrees. */
export type MapPoint = { lng: number; lat: number }

/** The systems of coordinates a school may use (chapter 10 §1 gps_type): the one of Chinese maps, the one of Baidu's, the one of satellites. */
export const map_systems = { 1: 'GCJ-02', 2: 'BD-09', 3: 'WGS-84' } as const
export type MapSystem = keyof typeof map_systems

/** The system that a gps_type names. */
export function mapSystem(gps_type: number): MapSystem {
  return gps_type === 2 || gps_type === 3 ? gps_type : 1
}

/** Semi-major axis in metres and squared eccentricity of the Krasovsky ellipsoid, on which the shift is defined. */
const axis = 6_378_245
const eccentricity = 0.006_693_421_622_965_943
const baidu_turn = (Math.PI * 3000) / 180
const baidu_offset: MapPoint = { lng: 0.0065, lat: 0.006 }
/** Outside these bounds no shift is applied. */
const shifted = { west: 72.004, east: 137.8347, south: 0.8293, north: 55.8271 }
const rounds = 12
const digits = 1e6

/** The same point in another system, to six digits (0.1 m). Outside China the first and the third are one. */
export function convertPoint(point: MapPoint, from: MapSystem, to: MapSystem): MapPoint {
  if (from === to) return point
  const chinese = from === 1 ? point : from === 2 ? fromBaidu(point) : shift(point)
  const told = to === 1 ? chinese : to === 2 ? toBaidu(chinese) : invert(chinese, shift)
  return { lng: Math.round(told.lng * digits) / digits, lat: Math.round(told.lat * digits) / digits }
}

/** Satellite to Chinese coordinates. */
function shift({ lng, lat }: MapPoint): MapPoint {
  if (lng < shifted.west || lng > shifted.east || lat < shifted.south || lat > shifted.north) return { lng, lat }
  const x = lng - 105
  const y = lat - 35
  const radians = (lat / 180) * Math.PI
  const magic = 1 - eccentricity * Math.sin(radians) ** 2
  const root = Math.sqrt(magic)
  return {
    lng: lng + (eastward(x, y) * 180) / ((axis / root) * Math.cos(radians) * Math.PI),
    lat: lat + (northward(x, y) * 180) / (((axis * (1 - eccentricity)) / (magic * root)) * Math.PI),
  }
}

/** Metres to the north and to the east by which a point is moved. */
function northward(x: number, y: number): number {
  return -100 + 2 * x + 3 * y + 0.2 * y * y + 0.1 * x * y + 0.2 * Math.sqrt(Math.abs(x)) + waves(x, [[20, 6], [20, 2]]) + waves(y, [[20, 1], [40, 1 / 3]]) + waves(y, [[160, 1 / 12], [320, 1 / 30]])
}

function eastward(x: number, y: number): number {
  return 300 + x + 2 * y + 0.1 * x * x + 0.1 * x * y + 0.1 * Math.sqrt(Math.abs(x)) + waves(x, [[20, 6], [20, 2]]) + waves(x, [[20, 1], [40, 1 / 3]]) + waves(x, [[150, 1 / 12], [300, 1 / 30]])
}

function waves(at: number, parts: readonly (readonly [height: number, frequency: number])[]): number {
  return (parts.reduce((sum, [height, frequency]) => sum + height * Math.sin(at * frequency * Math.PI), 0) * 2) / 3
}

function toBaidu({ lng, lat }: MapPoint): MapPoint {
  const radius = Math.hypot(lng, lat) + 0.000_02 * Math.sin(lat * baidu_turn)
  const angle = Math.atan2(lat, lng) + 0.000_003 * Math.cos(lng * baidu_turn)
  return { lng: radius * Math.cos(angle) + baidu_offset.lng, lat: radius * Math.sin(angle) + baidu_offset.lat }
}

function fromBaidu(point: MapPoint): MapPoint {
  return invert(point, toBaidu)
}

/** The point that a conversion, which moves by less than a kilometre and smoothly, takes to this one. */
function invert(wanted: MapPoint, convert: (point: MapPoint) => MapPoint): MapPoint {
  let guess = wanted
  for (let round = 0; round < rounds; round += 1) {
    const got = convert(guess)
    guess = { lng: guess.lng + wanted.lng - got.lng, lat: guess.lat + wanted.lat - got.lat }
  }
  return guess
}

const pair = /^\s*(-?\d{1,3}(?:\.\d+)?)\s*[°]?\s*[,，\s]\s*(-?\d{1,2}(?:\.\d+)?)\s*[°]?\s*$/

/** A pair as it is copied from a map, longitude first; null when it is none. */
export function readPoint(text: string): MapPoint | null {
  const [, lng = '', lat = ''] = pair.exec(text) ?? []
  const point = { lng: Number(lng), lat: Number(lat) }
  return lng !== '' && Math.abs(point.lng) <= 180 && Math.abs(point.lat) <= 90 ? point : null
}

/**
 * The address of a map that shows a point: what stands in braces is filled in, in the system that the map uses (`gcj_lng`, `bd_lat`, `wgs_lng` … and
 * `name`). Null without a template.
 */
export function mapAddress(template: string | null, point: MapPoint, system: MapSystem, name: string): string | null {
  if (template === null || template === '') return null
  const told = { gcj: convertPoint(point, system, 1), bd: convertPoint(point, system, 2), wgs: convertPoint(point, system, 3) }
  const words: Record<string, string> = { name: encodeURIComponent(name) }
  for (const [prefix, { lng, lat }] of Object.entries(told)) Object.assign(words, { [`${prefix}_lng`]: String(lng), [`${prefix}_lat`]: String(lat) })
  return template.replace(/\{(\w+)\}/g, (whole, word: string) => words[word] ?? whole)
}
