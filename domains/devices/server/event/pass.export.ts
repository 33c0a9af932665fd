import { DEVICE_DIRECTION, most_passes } from '@campus/devices/contract'
import type { passEventApi } from '@campus/devices/contract'
import { placeScope, visiblePlaces } from '@campus/places/server'
import type { PlaceScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { exportList, listExport, secondText } from '@kit/server/excel'
import type { ListDesk, SheetColumn } from '@kit/server/excel'
import type { Pre } from '@kit/server/http'
import type { Db, DevicesCtx, DevicesDb } from '../db.ts'
import { daySpans, wholeOf } from '../export-span.ts'
import type { Span } from '../export-span.ts'
import { placesSeen } from './card-read.queries.ts'
import { countPasses, nameOfOnceSeen, readPasses } from './pass.queries.ts'
import type { PassFilter, PassRecord } from './pass.queries.ts'

type Query = Omit<Input<typeof passEventApi.export>, 'reason'>
type Words = (type: 'VERIFY_MODE' | 'PASS_STATE', code: string) => string
type Opened = { filter: PassFilter; school_name: string; words: Words; place: string | undefined; device: string | undefined }

/** Rows that are read in one transaction: each finds its place in its day anew. */
const rows_at_once = 2000
const time_states = ['正常', '已校正', '待校时']

/** The filtered passes of some days, the latest first (chapter 30 §4). What comes while it is written does not belong to it. */
export const passExport = listExport<Query>({
  name: 'devices.pass_event',
  is_about_people: true,
  most_rows: most_passes,
  async open(desk, query) {
    const days = daySpans(query)
    const { filter, school_name, words, place, device } = await openPasses(desk, query)
    const total = await desk.read<DevicesDb, number>(db => countPasses(db, filter, wholeOf(days), most_passes))
    const columns = columnsIn(words)
    const page = (span: Span, behind: PassRecord | null) => desk.read<DevicesDb, PassRecord[]>(db => readPasses(db, filter, span, { behind, limit: rows_at_once }))
    return {
      title: '通行记录', school_name, total, columns,
      conditions: conditionsOf(query, { words, place, device }),
      noted: { target_kind: 'devices.pass_event', target_name: `通行记录 ${total}条` },
      async* pages() {
        for (const span of total <= rows_at_once ? [wholeOf(days)] : days) {
          for (let rows = await page(span, null), last = rows.at(-1); last; rows = rows.length < rows_at_once ? [] : await page(span, last), last = rows.at(-1)) yield rows.map(row => columns.map(column => column.text(row)))
        }
      },
    }
  },
})

/** Begins the export of passes: up to 5,000 at once, more by a job. @throws Refusal 404 for a place or a device out of sight, 422 for wrong days, too many rows or without the reason that many rows ask for */
export function exportPasses(pre: Pre, { reason, ...query }: Input<typeof passEventApi.export>) {
  return exportList(pre, passExport, query, reason)
}

/** How many rows an export of these passes would hold, up to one more than it may. @throws Refusal as the export does */
export async function countAsked(ctx: DevicesCtx, query: Query): Promise<Reply<typeof passEventApi.count>> {
  const scope = await placeScope(ctx)
  const span = wholeOf(daySpans(query))
  const { filter } = await filterOf(ctx.db, { ...ctx, scope }, query)
  return { count: await countPasses(ctx.db, filter, span, most_passes) }
}

/** What is looked for, in the places of whoever asks. @throws Refusal 404 */
function openPasses(desk: ListDesk, query: Query): Promise<Opened> {
  const { school_id, read } = desk
  return read<DevicesDb, Opened>(async db => {
    const { filter, device } = await filterOf(db, { ...desk, scope: await visiblePlaces({ ...desk, db }) }, query)
    const place = query.place_id === undefined ? undefined : await db.selectFrom('place_live_v').select('node_path_name').where('school_id', '=', school_id).where('place_id', '=', query.place_id).executeTakeFirst()
    const school = await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    return { filter, school_name: school.school_name, words: await readWords(db, school_id), place: place?.node_path_name, device }
  })
}

/** The same as a filter, with the name of the device that is asked for. @throws Refusal 404 for a place or a device out of sight */
async function filterOf(db: Db, { school_id, now, scope }: { school_id: number; now: Date; scope: PlaceScope }, { place_id, device_id, keyword, pass_state }: Query): Promise<{ filter: PassFilter; device: string | undefined }> {
  const place_ids = await placesSeen(db, { school_id, scope, place_id })
  if (place_id !== undefined && !place_ids?.includes(place_id)) throw fail(commonErrors.notFound)
  const device = device_id === undefined ? undefined : await nameOfOnceSeen(db, { school_id, scope, device_id })
  if (device_id !== undefined && device === undefined) throw fail(commonErrors.notFound)
  return { filter: { school_id, place_ids, until: now, device_id, keyword, pass_state }, device }
}

/** The school's own words for how somebody was known and what came of it. */
async function readWords(db: Db, school_id: number): Promise<Words> {
  const rows = await db.selectFrom('dictionary_v').select(['sc_code_type', 'sc_code_item', 'name']).where('school_id', '=', school_id).where('sc_code_type', 'in', ['VERIFY_MODE', 'PASS_STATE']).execute()
  const names = new Map(rows.map(row => [`${row.sc_code_type} ${row.sc_code_item}`, row.name]))
  return (type, code) => names.get(`${type} ${code}`) ?? code
}

function columnsIn(words: Words): SheetColumn<PassRecord>[] {
  return [
    { label: '时间', text: row => secondText(row.at) },
    { label: '姓名', text: whoOf },
    { label: '编号', text: row => row.user_no ?? '' },
    { label: '部门', text: row => row.dept_name ?? '' },
    { label: '场所（当时）', text: row => row.node_path_name ?? '未绑定场所' },
    { label: '当时名称', text: row => row.then_name ?? '' },
    { label: '设备', text: row => row.device_name },
    { label: '方向', text: ({ direction }) => (direction === null ? '' : DEVICE_DIRECTION.names[direction === 1 ? '1' : direction === 2 ? '2' : '3']) },
    { label: '识别方式', text: row => words('VERIFY_MODE', String(row.verify_mode)) },
    { label: '结果', text: row => words('PASS_STATE', String(row.pass_state)) },
    { label: '凭证（已掩码）', text: row => row.code_masked ?? '' },
    { label: '体温', numeric: true, text: ({ temp_tenths }) => (temp_tenths === null ? '' : (temp_tenths / 10).toFixed(1)) },
    { label: '记录状态', text: row => time_states[row.time_state] ?? '' },
  ]
}

function whoOf({ user_name, user_id, code_masked }: PassRecord): string {
  return user_name ?? (user_id !== null ? '已注销人员' : code_masked === null ? '陌生人' : '未知卡')
}

function conditionsOf({ from, to, keyword, pass_state }: Query, { words, place, device }: Pick<Opened, 'words' | 'place' | 'device'>): string[] {
  return [
    `日期 ${from} 至 ${to}`,
    ...(place === undefined ? [] : [`场所 ${place}`]),
    ...(device === undefined ? [] : [`设备 ${device}`]),
    ...(keyword ? [`查找 ${keyword}`] : []),
    ...(pass_state === undefined ? [] : [`结果 ${words('PASS_STATE', pass_state)}`]),
  ]
}
