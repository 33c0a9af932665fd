import { broken_cameras, disabled_door, dormitory_door, lost_hours, nearly_full, never_connected, upgrade } from './odd-devices.ts'

/** A device of the school as it is registered. */
export type Registered = { device_id: string; device_sn: string; model_code: string; parent_device_id: string | null }
type Oddity = { clock_offset_s?: number; clock_fault?: string; local_persons?: readonly string[]; refuse?: Readonly<Record<string, { code: string; text: string }>>; algorithms?: readonly string[]; app_version?: string; line_bytes_s?: number }
/** What is played: which hardware, what hangs below it and how that is, and what is odd about it. */
export type Played = Oddity & { sn: string; device_id: string; driver: 'jdev' | 'vf105'; model: string; children?: { sn: string; state: 'online' | 'offline' | 'fault' }[] }

const vf105 = 'VF105'
const door_models: readonly string[] = [vf105, 'JD-F10', 'JD-F5']
/** They speak for themselves and are all there, whatever number of doors is played. */
const other_models: readonly string[] = ['JD-B32', 'JD-S43', 'JD-K12', 'JD-C4', 'NVR-32', 'JD-A6', 'JD-V8']
const odd_doors = { clock: 'QM010002', foreign: 'QM010003', refusing: 'QM010005' } as const
/** Its battery is empty: it takes no other time. */
const wrong_clock = { clock_offset_s: 137, clock_fault: '时钟电池电压低，时间未能保存' } as const
/** The box whose licence for smoking has run out: its rules of that kind are refused. */
const poor_box = { sn: 'QM150003', algorithms: ['1', '2', '3', '4', '5', '6', '8'] } as const
/** Two screens fetch a package for three quarters of an hour. */
const line_bytes_s = 10_000
/** Why a terminal does not take a face, each in the words of its maker. */
export const refusals: readonly { code: string; text: string }[] = [
  { code: 'face_none', text: '未检测到人脸' }, { code: 'face_many', text: '检测到多张人脸' }, { code: 'face_blur', text: '人脸图片模糊' }, { code: 'face_angle', text: '人脸角度过大，请使用正面照片' }, { code: 'face_small', text: '人脸区域过小' }, { code: 'face_taken', text: '人脸已存在，与其他人员重复' },
]

/**
 * Who of these devices is played, and how (chapter 30 §8): all that speak for themselves but those that are not here, of doors at most so many, the odd ones first. `faced`: whose faces one of the doors does not take.
 */
export function planFleet(devices: readonly Registered[], { doors, faced }: { doors: number; faced: readonly string[] }): Played[] {
  const away = new Set([...Object.keys(lost_hours), dormitory_door, disabled_door, ...never_connected])
  const below = Map.groupBy(devices.filter(one => one.parent_device_id !== null), one => one.parent_device_id)
  const odd: Readonly<Record<string, Oddity>> = {
    [odd_doors.clock]: wrong_clock,
    [odd_doors.foreign]: { local_persons: ['LOCAL-1', 'LOCAL-2'] },
    [odd_doors.refusing]: { refuse: Object.fromEntries(refusals.map((why, nth) => [`f${faced[nth] ?? ''}`, why])) },
    [poor_box.sn]: { algorithms: poor_box.algorithms },
    [nearly_full]: {},
    ...Object.fromEntries(upgrade.done.map(sn => [sn, { app_version: upgrade.version }])),
    ...Object.fromEntries(upgrade.under_way.map(sn => [sn, { line_bytes_s }])),
  }
  const here = devices.filter(one => !away.has(one.device_sn))
  const rank = ({ device_sn, model_code }: Registered) => (device_sn in odd ? 0 : model_code === vf105 ? 1 : 2)
  const played = [...here.filter(one => door_models.includes(one.model_code)).toSorted((a, b) => rank(a) - rank(b)).slice(0, doors), ...here.filter(one => other_models.includes(one.model_code))]
  return played.map(({ device_id, device_sn, model_code }) => {
    const children = (below.get(device_id) ?? []).map(child => ({ sn: child.device_sn, state: stateOf(child.device_sn) }))
    return { sn: device_sn, device_id, driver: model_code === vf105 ? 'vf105' : 'jdev', model: model_code, ...(children.length === 0 ? {} : { children }), ...odd[device_sn] }
  })
}

function stateOf(sn: string): 'online' | 'offline' | 'fault' {
  return broken_cameras.includes(sn) ? 'fault' : sn in lost_hours ? 'offline' : 'online'
}
