import { link_names, linkReason } from '@campus/devices/contract'
import type { deviceLinkApi } from '@campus/devices/contract'
import { isInPlaces, visiblePlaces } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { exportList, job_rows, listExport, rows_per_page, secondText } from '@kit/server/excel'
import type { ListDesk, SheetColumn } from '@kit/server/excel'
import type { Pre } from '@kit/server/http'
import type { Db, DevicesDb } from '../db.ts'
import { findDevice, readDeviceIds } from '../device.queries.ts'
import type { DeviceFilter } from '../device.queries.ts'
import { daySpans, wholeOf } from '../export-span.ts'
import { countTurns, readTurns } from './link.queries.ts'
import type { LinkFilter, LinkRecord } from './link.queries.ts'

type Query = Input<typeof deviceLinkApi.export>
type Opened = { filter: LinkFilter; total: number; school_name: string; place: string | undefined; device: string | undefined }

const columns: readonly SheetColumn<LinkRecord>[] = [
  { label: '时间', text: row => secondText(row.at) },
  { label: '设备', text: row => row.device_name },
  { label: '序列号', text: row => row.device_sn },
  { label: '场所（当时）', text: row => row.node_path_name ?? '未绑定场所' },
  { label: '当时名称', text: row => row.then_name ?? '' },
  { label: '事件', text: row => link_names[row.kind] },
  { label: '原因', text: row => linkReason(row.kind, row.reason) ?? '' },
  { label: 'IP', text: row => row.client_ip ?? '' },
]

/** How the lines of some devices were on some days, the latest turn first (chapter 30 §4); who sees a device now sees how its line was. */
export const linkExport = listExport<Query>({
  name: 'devices.link',
  is_about_people: false,
  async open(desk, query) {
    const span = wholeOf(daySpans(query))
    const { read } = desk
    const { filter, total, school_name, place, device } = await read<DevicesDb, Opened>(async db => {
      const { device_ids, ...named } = await devicesAsked(db, desk, query)
      const found: LinkFilter = { school_id: desk.school_id, now: desk.now, span, device_ids }
      const school = await db.selectFrom('school_v').select('school_name').where('school_id', '=', desk.school_id).executeTakeFirstOrThrow()
      return { filter: found, total: await countTurns(db, found, job_rows), school_name: school.school_name, ...named }
    })
    const page = (behind: LinkRecord | null) => read<DevicesDb, LinkRecord[]>(db => readTurns(db, filter, { behind, limit: rows_per_page }))
    return {
      title: '设备连接记录', school_name, total, columns,
      conditions: [`日期 ${query.from} 至 ${query.to}`, ...(place === undefined ? [] : [`场所 ${place}`]), ...(device === undefined ? [] : [`设备 ${device}`])],
      noted: { target_kind: 'devices.link', ...(query.device_id === undefined ? {} : { target_id: query.device_id }), target_name: `设备连接记录 ${total}条` },
      async* pages() {
        for (let rows = await page(null), last = rows.at(-1); last; rows = await page(last), last = rows.at(-1)) yield rows.map(row => columns.map(column => column.text(row)))
      },
    }
  },
})

/** Begins the export of turns: up to 5,000 at once, more by a job. @throws Refusal 404 for a place or a device out of sight, 422 for wrong days or too many rows */
export function exportLinks(pre: Pre, query: Query) {
  return exportList(pre, linkExport, query, '')
}

/** The devices that are asked for, of those that the reader sees; null: all of the school, those that are gone too. @throws Refusal 404 */
async function devicesAsked(db: Db, desk: ListDesk, { place_id, device_id }: Query): Promise<{ place: string | undefined; device: string | undefined; device_ids: readonly string[] | null }> {
  const { school_id, now } = desk
  const scope = await visiblePlaces({ ...desk, db })
  const seen: DeviceFilter = { school_id, now, scope, ...(device_id === undefined ? {} : { device_ids: [device_id] }) }
  const device = device_id === undefined ? undefined : await findDevice(db, school_id, device_id)
  const is_seen = device_id === undefined || (device !== undefined && (scope === 'all' || (await readDeviceIds(db, seen)).length > 0))
  const below = place_id === undefined ? undefined : await db.selectFrom('place_live_v').select(['node_path', 'node_path_name']).where('school_id', '=', school_id).where('place_id', '=', place_id).executeTakeFirst()
  if (!is_seen || (place_id !== undefined && (!below || !isInPlaces(below.node_path, scope)))) throw fail(commonErrors.notFound)
  const told = { place: below?.node_path_name, device: device?.device_name }
  if (scope === 'all' && !below) return { ...told, device_ids: device_id === undefined ? null : [device_id] }
  return { ...told, device_ids: await readDeviceIds(db, { ...seen, ...(below ? { below: below.node_path } : {}) }) }
}
