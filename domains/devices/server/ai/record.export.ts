import { AI_WARN_KIND, AI_WARN_STATE } from '@campus/devices/contract'
import type { aiRecordApi } from '@campus/devices/contract'
import { isInPlaces, visiblePlaces } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { exportList, listExport, minuteText, rows_per_page } from '@kit/server/excel'
import type { SheetColumn } from '@kit/server/excel'
import type { Pre } from '@kit/server/http'
import type { DevicesDb } from '../db.ts'
import { countWarnings, readWarnings } from './record.queries.ts'
import type { WarningFilter, WarningRecord } from './record.queries.ts'
import { refuseDays, requireNamed } from './record.service.ts'

type Query = Input<typeof aiRecordApi.export>
type Opened = { filter: WarningFilter; total: number; school_name: string; place: string | undefined }

const columns: readonly SheetColumn<WarningRecord>[] = [
  { label: '开始时间', text: row => minuteText(row.begin_at) },
  { label: '结束时间', text: row => minuteText(row.end_at) },
  { label: '预警类型', text: row => AI_WARN_KIND.names[row.warn_kind] },
  { label: '场所', text: row => row.node_path_name ?? '已停用的场所' },
  { label: '当时名称', text: row => row.then_name ?? '' },
  { label: '摄像机', text: row => row.camera_name },
  { label: '规则', text: row => row.rule_name },
  { label: '次数', text: row => String(row.hits) },
  { label: '图片', text: row => String(row.images.filter(image => image.file_key !== null).length) },
  { label: '状态', text: row => AI_WARN_STATE.names[row.state] },
  { label: '处理人', text: row => row.decided_name ?? '' },
  { label: '处理时间', text: row => (row.decided_at === null ? '' : minuteText(row.decided_at)) },
  { label: '处理说明', text: row => row.decision_note ?? '' },
]

/** The filtered list of warnings in its order; who is on the pictures is not in it. */
export const warningExport = listExport<Query>({
  name: 'devices.ai_record',
  is_about_people: false,
  async open(desk, { place_id, ...query }) {
    const { school_id, read } = desk
    refuseDays(query)
    const { filter, total, school_name, place } = await read<DevicesDb, Opened>(async db => {
      const below = place_id === undefined ? undefined : await db.selectFrom('place_live_v').select(['node_path', 'node_path_name']).where('school_id', '=', school_id).where('place_id', '=', place_id).executeTakeFirst()
      const scope = await visiblePlaces({ ...desk, db })
      await requireNamed({ db, school_id }, query)
      if (place_id !== undefined && (!below || !isInPlaces(below.node_path, scope))) throw fail(commonErrors.notFound)
      const found: WarningFilter = { school_id, scope, ...query, ...(below ? { below: below.node_path } : {}) }
      const school = await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow()
      return { filter: found, total: await countWarnings(db, found), school_name: school.school_name, place: below?.node_path_name }
    })
    return {
      title: 'AI预警记录', unit: '条', school_name, total, columns,
      conditions: [`日期 ${query.from} 至 ${query.to}`, ...(place === undefined ? [] : [`场所 ${place}`]), ...(query.warn_kind ? [`类型 ${AI_WARN_KIND.names[query.warn_kind]}`] : []), ...(query.state ? [`状态 ${AI_WARN_STATE.names[query.state]}`] : [])],
      noted: { target_kind: 'devices.ai_warning', target_name: `AI预警记录 ${total}条` },
      async* pages() {
        for (let offset = 0; offset < total; offset += rows_per_page) {
          const rows = await read<DevicesDb, WarningRecord[]>(db => readWarnings(db, filter, { limit: rows_per_page, offset }))
          yield rows.map(row => columns.map(column => column.text(row)))
        }
      },
    }
  },
})

/** Begins the export of warnings: up to 5,000 at once, more by a job. @throws Refusal 404 for a place out of sight, 400 and 422 at `to` for the days */
export function exportWarnings(pre: Pre, query: Query) {
  return exportList(pre, warningExport, query, '')
}
