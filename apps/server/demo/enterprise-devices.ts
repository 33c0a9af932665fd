import { createPlaces } from '@campus/places/server'
import type { PlannedPlace } from '@campus/places/server'
import { kinds, named, of, registerDevices } from './devices.ts'
import type { Site, Stock } from './devices.ts'
import type { Work } from './school-work.ts'

const [floors, offices, meeting_kind] = [6, 4, 8] as const
const meeting = of(meeting_kind)
const gate = of(kinds.gate)
const floor = of(kinds.floor)
const outside = (site: Site) => gate(site) || site.place_kind === kinds.building

/** 81 devices of an office building (chapter 30 §8). */
const stocks: readonly Stock[] = [
  { device_type: '07', model_code: 'NVR-32', title: '录像机', n: 2, at: named(kinds.office, '办公大楼/1层') },
  { device_type: '04', model_code: 'JD-C4', title: '门禁', n: 12, at: meeting },
  { device_type: '01', model_code: 'JD-F10', title: '人脸终端', n: 4, at: gate, pairs: true },
  { device_type: '01', model_code: 'JD-F10', title: '人脸终端', n: 4, at: floor },
  { device_type: '02', model_code: 'GATE-T1', title: '闸机', n: 4, at: gate, below: '04' },
  { device_type: '22', model_code: 'LPR-1', title: '车牌识别', n: 2, at: site => gate(site) && site.place_name === '车库入口', pairs: true, below: '04' },
  { device_type: '12', model_code: 'JD-K12', title: '访客机', n: 1, at: site => gate(site) && site.place_name === '大门' },
  { device_type: '10', model_code: 'POS-2', title: '消费机', n: 4, at: of(kinds.dining), below: '04' },
  { device_type: '16', model_code: 'READER-1', title: '发卡器', n: 2, at: named(kinds.office, '办公大楼/2层') },
  { device_type: '21', model_code: 'JD-S43', title: '信息屏', n: 6, at: floor },
  { device_type: '06', model_code: 'IPC-4M', title: '走廊摄像机', n: 24, at: floor, below: '07' },
  { device_type: '06', model_code: 'IPC-4M', title: '室外摄像机', n: 16, at: outside, below: '07' },
]

/** The building of the enterprise, its two gates, and its 81 devices: all of them wait for being connected. */
export async function fillEnterpriseDevices(work: Work): Promise<void> {
  await createPlaces(work.db, work.school_id, plannedPlaces(), work.from)
  await registerDevices(work, stocks, 'QY')
}

function plannedPlaces(): PlannedPlace[] {
  const up = Array.from({ length: floors }, (_, at) => at + 1)
  return [
    ...['大门', '车库入口'].map((place_name): PlannedPlace => ({ key: place_name, superior: null, place_name, place_kind: kinds.gate })),
    { key: 'A', superior: null, place_name: '办公大楼', place_kind: kinds.building },
    ...up.flatMap((no): PlannedPlace[] => [
      { key: `A${no}`, superior: 'A', place_name: `${no}层`, place_kind: kinds.floor },
      ...Array.from({ length: offices }, (_, at): PlannedPlace => ({ key: `A${no} ${at}`, superior: `A${no}`, place_name: `办公室${no}0${at + 1}`, place_kind: kinds.office })),
      { key: `A${no} M`, superior: `A${no}`, place_name: `会议室${no}05`, place_kind: meeting_kind },
    ]),
    { key: 'A1 D', superior: 'A1', place_name: '员工餐厅', place_kind: kinds.dining },
  ]
}
