import { school_state_names, school_type_names } from '@campus/school/contract'
import type { schoolManageApi, SchoolListRow } from '@campus/school/contract'
import type { Input } from '@kit/contract'
import { exportList, listExport, listExportPort, minuteText, rows_per_page } from '@kit/server/excel'
import type { ListExport, SheetColumn } from '@kit/server/excel'
import type { Boot, Pre } from '@kit/server/http'
import type { SchoolDb } from './db.ts'
import { listSchools } from './school-list.service.ts'
import { findSchool } from './school.queries.ts'

type Query = Input<typeof schoolManageApi.export>

const list_name = 'school.school_manage'
const mb = 1_048_576

const columns: readonly SheetColumn<SchoolListRow>[] = [
  { label: '学校编号', text: row => String(row.school_id) },
  { label: '学校名称', text: row => row.school_name },
  { label: '类型', text: row => school_type_names[row.school_type] ?? String(row.school_type) },
  { label: '状态', text: row => school_state_names[row.state] ?? String(row.state) },
  { label: '状态时间', text: row => minuteText(new Date(row.state_at)) },
  { label: '人数', numeric: true, text: row => String(row.people) },
  { label: '在线', numeric: true, text: row => String(row.online) },
  { label: '最近登录', text: row => (row.last_login_at ? minuteText(new Date(row.last_login_at)) : '') },
  { label: '存储（MB）', numeric: true, text: row => String(Math.ceil(row.storage_bytes / mb)) },
]

/** The filtered list of schools in its order (chapter 10 §6, J3). It is the installation's: a page opens each of its schools in a short transaction. */
export function schoolListExport({ database }: Pick<Boot, 'database'>): ListExport {
  return listExport<Query>({
    name: list_name,
    is_about_people: false,
    async open({ app, school_id, now, read }, query) {
      const page = (page_index: number, page_size: number) => listSchools({ app, now, own: database.tenant.bind(database) }, { ...query, page_index, page_size })
      const { total } = await page(1, 1)
      const school_name = await read<SchoolDb, string>(async db => (await findSchool(db, school_id))?.school_name ?? '')
      return {
        title: '学校列表', unit: '所', school_name, total, columns, conditions: conditionsOf(query),
        noted: { target_kind: 'school', target_name: `学校列表 ${total}所` },
        async* pages() {
          for (let at = 1; (at - 1) * rows_per_page < total; at += 1) {
            const { list } = await page(at, rows_per_page)
            yield list.map(row => columns.map(column => column.text(row)))
          }
        },
      }
    },
  })
}

/** Begins the export of the schools: up to 5,000 at once, more by a job. @throws Refusal 422 for more rows than a job writes */
export async function exportSchools(pre: Pre, query: Query) {
  const list = listExportPort.all(pre.app).find(one => one.name === list_name)
  if (!list) throw new Error(`no list is called ${list_name}`)
  return exportList(pre, list, query, '')
}

function conditionsOf({ keyword, school_type, state }: Query): string[] {
  return [
    ...(keyword ? [`查找 ${keyword}`] : []),
    ...(school_type ? [`类型 ${school_type_names[school_type] ?? school_type}`] : []),
    ...(state ? [`状态 ${school_state_names[state] ?? state}`] : []),
  ]
}
