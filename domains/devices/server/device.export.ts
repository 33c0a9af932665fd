import { DEVICE_DIRECTION, DEVICE_STATE, DEVICE_TYPE } from '@campus/devices/contract'
import type { Device, deviceApi } from '@campus/devices/contract'
import { isInPlaces, visiblePlaces } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { exportList, listExport, minuteText, rows_per_page } from '@kit/server/excel'
import type { SheetColumn } from '@kit/server/excel'
import type { Pre } from '@kit/server/http'
import type { DevicesDb } from './db.ts'
import { countDevices, readDevices } from './device.queries.ts'
import type { DeviceFilter } from './device.queries.ts'

type Query = Input<typeof deviceApi.export>
type Opened = { filter: DeviceFilter; total: number; school_name: string; place: string | undefined }

/** The first columns are those of 设备导入, so that the sheet can be filled in and given back. */
const columns: readonly SheetColumn<Device>[] = [
  { label: '设备序列号', text: row => row.device_sn },
  { label: '设备名称', text: row => row.device_name },
  { label: '设备类型', text: row => DEVICE_TYPE.names[row.device_type] },
  { label: '型号', text: row => row.model_code },
  { label: '场所全路径', text: row => row.node_path_name ?? '' },
  { label: '方向', text: row => (row.direction === null ? '' : (DEVICE_DIRECTION.names[directionCode(row.direction)])) },
  { label: 'IP地址', text: row => row.ip ?? '' },
  { label: 'MAC', text: row => row.mac ?? '' },
  { label: '备注', text: row => row.note ?? '' },
  { label: '上级设备', text: row => row.parent_name ?? '' },
  { label: '状态', text: row => (row.device_state === null ? '已退役' : DEVICE_STATE.names[row.device_state]) },
  { label: '最近联系', text: row => (row.last_seen_at === null ? '' : minuteText(new Date(row.last_seen_at))) },
  { label: '固件', text: row => row.firmware_version ?? '' },
  { label: '下发', text: row => (row.is_push ? '开' : '已暂停') },
]

/** The filtered list of devices in its order (chapter 30 §6). */
export const deviceExport = listExport<Query>({
  name: 'devices.device',
  is_about_people: false,
  async open(desk, { place_id, ...query }) {
    const { school_id, now, read } = desk
    const { filter, total, school_name, place } = await read<DevicesDb, Opened>(async db => {
      const below = place_id === undefined ? undefined : await db.selectFrom('place_live_v').select(['node_path', 'node_path_name']).where('school_id', '=', school_id).where('place_id', '=', place_id).executeTakeFirst()
      const scope = await visiblePlaces({ ...desk, db })
      if (place_id !== undefined && (!below || !isInPlaces(below.node_path, scope))) throw fail(commonErrors.notFound)
      const found: DeviceFilter = { school_id, now, scope, ...query, ...(below ? { below: below.node_path } : {}) }
      const school = await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow()
      return { filter: found, total: await countDevices(db, found), school_name: school.school_name, place: below?.node_path_name }
    })
    return {
      title: '设备', unit: '台', school_name, total, columns, conditions: conditionsOf(query, place),
      noted: { target_kind: 'devices.device', target_name: `设备 ${total}台` },
      async* pages() {
        for (let offset = 0; offset < total; offset += rows_per_page) {
          const rows = await read<DevicesDb, Device[]>(db => readDevices(db, filter, { limit: rows_per_page, offset }))
          yield rows.map(row => columns.map(column => column.text(row)))
        }
      },
    }
  },
})

/** Begins the export of devices: up to 5,000 at once, more by a job. @throws Refusal 404 for a place out of sight, 422 for more rows than a job writes */
export function exportDevices(pre: Pre, query: Query) {
  return exportList(pre, deviceExport, query, '')
}

function directionCode(direction: 1 | 2 | 3): '1' | '2' | '3' {
  return direction === 1 ? '1' : direction === 2 ? '2' : '3'
}

function conditionsOf({ keyword, device_type, device_state, model_code, retired, queue, drift }: Omit<Query, 'place_id'>, place: string | undefined): string[] {
  return [
    ...(keyword ? [`查找 ${keyword}`] : []),
    ...(device_type ? [`类型 ${DEVICE_TYPE.names[device_type]}`] : []),
    ...(place === undefined ? [] : [`场所 ${place}`]),
    ...(device_state ? [`状态 ${DEVICE_STATE.names[device_state]}`] : []),
    ...(model_code ? [`型号 ${model_code}`] : []),
    ...(retired ? ['已退役'] : []),
    ...(queue === undefined ? [] : [queue ? '有积压' : '没有积压']),
    ...(drift === undefined ? [] : [drift ? '有差异' : '没有差异']),
  ]
}
