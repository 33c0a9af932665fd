import { school_state_names, school_type_names } from '@campus/school/contract'
import type { schoolManageApi, SchoolListRow } from '@campus/school/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { direct_rows, headedSheet, minuteText, requireExportable } from '@kit/server/excel'
import type { SheetColumn } from '@kit/server/excel'
import type { FileReply, Pre } from '@kit/server/http'
import type { SchoolDb } from './db.ts'
import { listSchools } from './school-list.service.ts'
import { findSchool } from './school.queries.ts'

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

/** The filtered list of schools as a sheet, in its order (chapter 10 §6, J3). @throws Refusal 422 for too many rows */
export async function exportSchools(pre: Pre, query: Input<typeof schoolManageApi.export>): Promise<FileReply> {
  const { me, now } = pre
  if (!me) throw fail(commonErrors.unauthorized)
  const { list, total } = await listSchools(pre, { ...query, page_index: 1, page_size: direct_rows })
  requireExportable(total)
  pre.note({ target_kind: 'school', target_name: `学校列表 ${total}所` })
  const school_name = await pre.own<SchoolDb, string>(me.school_id, async db => (await findSchool(db, me.school_id))?.school_name ?? '')
  const { keyword, school_type, state } = query
  const conditions = [
    ...(keyword ? [`查找 ${keyword}`] : []),
    ...(school_type ? [`类型 ${school_type_names[school_type] ?? school_type}`] : []),
    ...(state ? [`状态 ${school_state_names[state] ?? state}`] : []),
  ]
  return headedSheet({ title: '学校列表', school_name, me, now, conditions, unit: '所', columns, rows: list })
}
