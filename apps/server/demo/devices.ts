import { createCameras, createDevices } from '@campus/devices/server'
import type { PlannedCamera, PlannedDevice } from '@campus/devices/server'
import type { PlacesViews } from '@campus/places/server'
import { asTables, refreshStatistics } from '@kit/server/db'
import { admitPeople, readPeople } from './admission.ts'
import { fillAlarms } from './alarms.ts'
import { fillDeviceProfiles } from './device-settings.ts'
import { fillRules } from './device-rules.ts'
import { fillOddDevices } from './odd-devices.ts'
import { fillReaders } from './readers.ts'
import { startOfDay } from './school-year.ts'
import type { Work } from './school-work.ts'

export type Site = { place_id: string; place_kind: number; place_name: string; node_path_name: string }
/** What stands where: so many of a kind, spread over the places that fit, one after the other. `pairs`: every second one lets out. */
export type Stock = { device_type: string; model_code: string; title: string; n: number; at: (site: Site) => boolean; pairs?: true; below?: string }

export const kinds = { building: 2, floor: 3, classroom: 4, special: 5, lab: 6, office: 7, gate: 9, dormitory: 10, dining: 12, window: 13, gym: 15, computers: 19, water: 24 } as const
const ways = { in: 1, out: 2, both: 3 } as const
const [terminal_type, camera_type, box_type, controller_type, camera_share] = ['01', '06', '15', '04', 4] as const
const [gate_terminals, lanes_and_thermometers] = [32, 14] as const

export const named = (kind: number, part: string) => (site: Site) => site.place_kind === kind && site.node_path_name.includes(part)
export const of = (...wanted: number[]) => (site: Site) => wanted.includes(site.place_kind)
const walking = (site: Site) => site.place_kind === kinds.special && site.place_name.startsWith('走班教室')
const guarded = (site: Site) => site.place_kind === kinds.building && /行政楼|实验楼/u.test(site.place_name)
const gates = (...parts: string[]) => (site: Site) => site.place_kind === kinds.gate && parts.some(part => site.place_name.startsWith(part))

/** The devices of the school in numbers (chapter 30 §8). */
const stocks: readonly Stock[] = [
  { device_type: '07', model_code: 'NVR-32', title: '录像机', n: 8, at: named(kinds.office, '行政楼/1层') },
  { device_type: '15', model_code: 'JD-A6', title: 'AI盒子', n: 6, at: named(kinds.office, '行政楼/1层') },
  { device_type: '03', model_code: 'JD-B32', title: '班牌', n: 90, at: of(kinds.classroom) },
  { device_type: '03', model_code: 'JD-B32', title: '班牌', n: 10, at: walking },
  { device_type: '01', model_code: 'JD-F10', title: '人脸终端', n: gate_terminals, at: gates('南门', '北门', '东门'), pairs: true },
  { device_type: '01', model_code: 'VF105', title: '人脸终端', n: 4, at: of(kinds.dormitory) },
  { device_type: '01', model_code: 'JD-F10', title: '人脸终端', n: 4, at: of(kinds.dormitory) },
  { device_type: '01', model_code: 'JD-F10', title: '人脸终端', n: 2, at: guarded },
  { device_type: '01', model_code: 'JD-F5', title: '人脸终端', n: 1, at: guarded },
  { device_type: '01', model_code: 'JD-F10', title: '人脸终端', n: 3, at: guarded },
  { device_type: '02', model_code: 'GATE-T1', title: '闸机', n: 16, at: gates('南门', '北门', '东门'), below: controller_type },
  { device_type: '13', model_code: 'TEMP-1', title: '测温仪', n: lanes_and_thermometers, at: gates('南门', '北门'), below: controller_type },
  { device_type: '22', model_code: 'LPR-1', title: '车牌识别', n: 2, at: gates('西门'), pairs: true, below: controller_type },
  { device_type: '12', model_code: 'JD-K12', title: '访客机', n: 2, at: gates('南门') },
  { device_type: '12', model_code: 'JD-K12', title: '访客机', n: 1, at: gates('西门') },
  { device_type: '10', model_code: 'POS-2', title: '消费机', n: 36, at: of(kinds.window), below: controller_type },
  { device_type: '18', model_code: 'SCALE-1', title: '称重台', n: 4, at: of(kinds.dining), below: controller_type },
  { device_type: '11', model_code: 'WATER-1', title: '水控机', n: 60, at: of(kinds.water), below: controller_type },
  { device_type: '14', model_code: 'ROBOT-1', title: '晨检机器人', n: 4, at: named(kinds.floor, '小学部教学楼/1层'), below: controller_type },
  { device_type: '17', model_code: 'PHONE-1', title: '可视电话', n: 40, at: site => site.place_kind === kinds.floor && /宿舍/u.test(site.node_path_name), below: controller_type },
  { device_type: '16', model_code: 'READER-1', title: '发卡器', n: 6, at: named(kinds.office, '行政楼') },
  { device_type: '04', model_code: 'JD-C4', title: '门禁', n: 20, at: of(kinds.lab) },
  { device_type: '04', model_code: 'JD-C4', title: '门禁', n: 5, at: of(kinds.computers) },
  { device_type: '21', model_code: 'JD-S43', title: '信息屏', n: 10, at: site => site.place_kind === kinds.floor && site.place_name === '1层' },
  { device_type: '06', model_code: 'IPC-4M', title: '摄像机', n: 100, at: site => site.place_kind === kinds.classroom || walking(site), below: '07' },
  { device_type: '06', model_code: 'IPC-4M', title: '摄像机', n: 25, at: of(kinds.lab, kinds.computers), below: '07' },
  { device_type: '06', model_code: 'IPC-4M', title: '走廊摄像机', n: 60, at: of(kinds.floor), below: '07' },
  { device_type: '06', model_code: 'IPC-4M', title: '室外摄像机', n: 40, at: of(kinds.gate, kinds.building), below: '07' },
  { device_type: '08', model_code: 'JD-V8', title: '车载终端', n: 12, at: () => false },
]

/** What stands in a school: its places and the devices there with their ids. */
export type Stood = Awaited<ReturnType<typeof registerDevices>>

/** 617 devices of 18 kinds, each where it belongs, with rules and settings; none is online before it has connected by itself. */
export async function standDevices(work: Work): Promise<Stood> {
  const stood = await registerDevices(work, stocks, 'QM')
  // What follows asks where each device stands, for every place and rule.
  await refreshStatistics(work.db)
  await fillRules(work, stood.sites)
  await fillDeviceProfiles(work, stood.sites)
  return stood
}

/** What people and devices have to do with each other: who may pass where, what is out of order, what is read. */
export async function fillDevices(work: Work, { sites, devices, ids }: Stood): Promise<void> {
  const doors = sites.filter(site => site.place_kind === kinds.gate || site.place_kind === kinds.dormitory)
  const people = await readPeople(work)
  const cards = await admitPeople(work, people, new Map(doors.map(door => [shortName(door), door.place_id])))
  await fillOddDevices(work, people, new Map(devices.map(({ key, device_sn, place_id }) => [device_sn, { device_id: ids.get(key) ?? '', place_id }])))
  await fillAlarms(work, new Map(devices.map(({ key, device_sn }) => [device_sn, ids.get(key) ?? ''])))
  await fillReaders(work, cards)
}

/** Registers a stock of devices at the places of a school, and what its cameras watch. `prefix`: of their serial numbers. */
export async function registerDevices({ db, school_id, from }: Work, stock: readonly Stock[], prefix: string): Promise<{ sites: Site[]; devices: PlannedDevice[]; ids: Map<string, string> }> {
  const sites = await asTables<PlacesViews>(db).selectFrom('place_live_v').select(['place_id', 'place_kind', 'place_name', 'node_path_name']).where('school_id', '=', school_id).orderBy('node_path_name').execute()
  const devices = planDevices(sites, stock, prefix)
  const ids = await createDevices(db, school_id, devices, startOfDay(from))
  await createCameras(db, school_id, planCameras(devices, ids, new Map(sites.map(site => [site.place_id, site.place_kind]))), startOfDay(from))
  return { sites, devices, ids }
}

/** The devices of a school with these places. */
function planDevices(sites: readonly Site[], stock: readonly Stock[], prefix: string): PlannedDevice[] {
  const serials = new Map<string, number>()
  const names = new Map<string, number>()
  const next = (counts: Map<string, number>, key: string) => {
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count
  }
  return stock.flatMap(({ device_type, model_code, title, n, at, pairs, below }) => {
    const fitting = sites.filter(at)
    const above = below === undefined ? [] : keysOf(stock, below)
    return Array.from({ length: n }, (_, nth): PlannedDevice => {
      const serial = next(serials, device_type)
      const site = fitting[(pairs ? Math.floor(nth / 2) : nth) % Math.max(1, fitting.length)]
      const way = pairs ? (nth % 2 === 0 ? '进' : '出') : ''
      const place = site === undefined ? '校车' : shortName(site)
      const name = `${place}${title}`
      const count = next(names, `${name}${way}`)
      return { key: `${device_type}-${serial}`, device_sn: `${prefix}${device_type}${String(serial).padStart(4, '0')}`, device_name: `${name}${count}${way === '' ? '' : `-${way}`}`, device_type, model_code, parent: above[serial % Math.max(1, above.length)] ?? null, place_id: site?.place_id ?? null, direction: pairs ? (nth % 2 === 0 ? ways.in : ways.out) : ways.both }
    })
  })
}

/** What the cameras watch: at a gate its first two terminals, elsewhere the room; every fourth one feeds an AI box. Channels are counted recorder by recorder. */
function planCameras(devices: readonly PlannedDevice[], ids: ReadonlyMap<string, string>, place_kinds: ReadonlyMap<string, number>): PlannedCamera[] {
  const channels = new Map<string, number>()
  const doors = Map.groupBy(devices.filter(one => one.device_type === terminal_type), one => one.place_id)
  const boxes = devices.filter(one => one.device_type === box_type)
  const watched = new Map<string, number>()
  return devices.filter(one => one.device_type === camera_type).map(({ key, parent, place_id }, nth): PlannedCamera => {
    const channel = (channels.get(parent ?? '') ?? 0) + 1
    channels.set(parent ?? '', channel)
    const gate = place_id !== null && place_kinds.get(place_id) === kinds.gate ? doors.get(place_id)?.find(one => (watched.get(one.key) ?? 0) < 2) : undefined
    const slot = gate ? (watched.get(gate.key) ?? 0) + 1 : 0
    if (gate) watched.set(gate.key, slot)
    const room = place_id === null || place_kinds.get(place_id) === kinds.gate ? null : { bind_kind: 'room' as const, place_id }
    const box = nth % camera_share === 0 ? boxes[(nth / camera_share) % boxes.length] : undefined
    return { device_id: ids.get(key) ?? '', channel, watches: gate ? { bind_kind: 'gate', target_device_id: ids.get(gate.key) ?? '', gate_slot: slot === 1 ? 1 : 2 } : room, box_id: box ? (ids.get(box.key) ?? null) : null }
  })
}

/** Keys of all devices of a kind that stand in one stock. */
function keysOf(stock: readonly Stock[], device_type: string): string[] {
  const found = stock.find(one => one.device_type === device_type)
  return Array.from({ length: found?.n ?? 0 }, (_, at) => `${device_type}-${at + 1}`)
}

/** What people call a place at its door: 南门, 小学部教学楼101, 实验楼2层. */
function shortName({ place_kind, place_name, node_path_name }: Site): string {
  const parts = node_path_name.split('/')
  if (place_kind === kinds.gate) return place_name.replace(/\(.*\)/u, '')
  const building = parts[1] ?? ''
  return parts.length <= 2 ? building : `${building}${place_name}`
}
