import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeTemplate } from '@kit/server/excel'
import { sql } from 'kysely'
import { oneOf } from './active-staff.ts'
import type { Active } from './active-staff.ts'
import { startOfDay } from './school-year.ts'
import type { Work } from './school-work.ts'

type Job = { title: string; kind: string; state: string; total: number; done: number; failed: number; error: string | null; mine: boolean; hours: number }
type Batch = { template: string; file: string; state: string; message: string | null; rows: number; errors: number; applied: number; mine: boolean; days: number }

const hour_ms = 3_600_000
const day_ms = 24 * hour_ms

const job = (title: string, kind: string, state: string, [total, done]: readonly [number, number], more: { failed?: number; error?: string; mine?: boolean; hours: number }): Job =>
  ({ title, kind, state, total, done, failed: more.failed ?? 0, error: more.error ?? null, mine: more.mine ?? false, hours: more.hours })

/** Fourteen jobs: what waits or runs belongs to people without a login, since nobody works on it. */
const jobs: readonly Job[] = [
  job('导出学生', 'people_export', 'succeeded', [3906, 3906], { mine: true, hours: 70 }),
  job('导出家长', 'people_export', 'succeeded', [6640, 6640], { mine: true, hours: 46 }),
  job('学生信息导入：七年级插班生.xlsx', 'import_apply', 'succeeded', [12, 12], { mine: true, hours: 28 }),
  job('家长信息导入：家长补录.xlsx', 'import_apply', 'partly', [180, 176], { failed: 4, mine: true, hours: 26 }),
  job('角色成员导入：社团教师.xlsx', 'import_parse', 'failed', [0, 0], { error: '模板不匹配，缺少列：角色名称', mine: true, hours: 20 }),
  job('导出学生', 'people_export', 'cancelled', [3906, 1500], { mine: true, hours: 18 }),
  job('导出教职工', 'people_export', 'succeeded', [320, 320], { hours: 60 }),
  job('撤销家长信息导入：二年级家长.xlsx', 'import_undo', 'succeeded', [46, 46], { hours: 50 }),
  job('学生信息导入：转学名单.xlsx', 'import_apply', 'partly', [25, 23], { failed: 2, hours: 44 }),
  job('学生信息导入：学籍核对.xlsx', 'import_parse', 'failed', [0, 0], { error: '文件中没有数据', hours: 24 }),
  job('导出家长', 'people_export', 'cancelled', [900, 500], { hours: 22 }),
  job('导出学生', 'people_export', 'queued', [410, 0], { hours: 1 }),
  job('家长信息导入：三年级家长.xlsx', 'import_parse', 'queued', [0, 0], { hours: 1 }),
  job('学生信息导入：体检信息.xlsx', 'import_parse', 'running', [1200, 540], { hours: 1 }),
]

const batch = (template: string, file: string, state: string, [rows, days]: readonly [number, number], more: Partial<Pick<Batch, 'message' | 'errors' | 'applied' | 'mine'>> = {}): Batch =>
  ({ template, file, state, rows, days, message: more.message ?? null, errors: more.errors ?? 0, applied: more.applied ?? 0, mine: more.mine ?? false })

const batches: readonly Batch[] = [
  batch('student', '七年级插班生.xlsx', 'applied', [12, 2], { applied: 12, mine: true }),
  batch('parent', '家长补录.xlsx', 'applied', [180, 2], { applied: 176, mine: true }),
  batch('role_member', '社团教师.xlsx', 'refused', [0, 1], { message: '模板不匹配，缺少列：角色名称', mine: true }),
  batch('parent', '二年级家长.xlsx', 'undone', [46, 3], { applied: 46 }),
  batch('student', '旧模板.xlsx', 'expired', [30, 12], { errors: 4, mine: true }),
  batch('student', '学籍核对.xlsx', 'failed', [0, 1], { message: '服务中断，请重新上传' }),
  batch('student', '体检信息.xlsx', 'parsing', [1200, 0]),
  batch('parent', '三年级家长.xlsx', 'uploaded', [0, 0]),
  batch('parent', '一年级家长.xlsx', 'applying', [60, 0], { applied: 20 }),
  batch('parent', '五年级家长.xlsx', 'undoing', [88, 0], { applied: 88 }),
]

/** Jobs and import batches in every state; one batch waits to be confirmed, with its file. None is on its way for pupils: that would hold a promotion up. */
export async function fillJobs(work: Work, staff: readonly Active[]): Promise<void> {
  const { db, school_id, today, app } = work
  const admin = await adminOf(work, staff)
  const others = staff.filter(person => !person.is_account)
  const noon = startOfDay(today).getTime() + 7 * hour_ms
  const job_rows = jobs.map((one, at) => ({ ...one, ...ownerOf(one.mine, at, admin, others), job_no: `demo${String(at + 1).padStart(3, '0')}`, at: new Date(noon - one.hours * hour_ms).toISOString() }))
  await sql`
    insert into job (school_id, job_no, kind, title, identity, state, total, done, failed, error_msg, cancel_asked, created_by, created_role_no, created_at, started_at, finished_at, expire_at)
    select ${school_id}, x.job_no, x.kind, x.title, '{}', x.state, x.total, x.done, x.failed, x.error, x.state = 'cancelled', x.user_id, x.role_no, x.at,
      case when x.state <> 'queued' then x.at end, case when x.state not in ('queued', 'running') then x.at + interval '2 minutes' end, x.at + interval '7 days'
    from jsonb_to_recordset(${JSON.stringify(job_rows)}::jsonb) as x(job_no text, kind text, title text, state text, total int, done int, failed int, error text, user_id bigint, role_no bigint, at timestamptz) returning 1`.execute(db)
  const batch_rows = batches.map((one, at) => ({ ...one, ...ownerOf(one.mine, at, admin, others), batch_no: `${school_id}${today.replaceAll('-', '')}0000${String(at).padStart(2, '0')}0000`, at: new Date(noon - one.days * day_ms).toISOString() }))
  await sql`
    insert into import_batch (school_id, batch_no, template, file_key, file_name, state, message, rows_total, rows_new, rows_error, rows_applied, rows_undone, created_by, created_by_name, created_at, applied_at, undone_at, undo_until)
    select ${school_id}, x.batch_no, x.template, ${`${school_id}/import/`} || x.batch_no || '.xlsx', x.file, x.state, x.message, x.rows, x.rows - x.errors, x.errors, x.applied,
      case when x.state = 'undone' then x.applied else 0 end, x.user_id, x.user_name, x.at, case when x.applied > 0 then x.at + interval '5 minutes' end,
      case when x.state = 'undone' then x.at + interval '1 hour' end, case when x.state in ('applied', 'undone') then x.at + interval '5 minutes' end
    from jsonb_to_recordset(${JSON.stringify(batch_rows)}::jsonb) as x(batch_no text, template text, file text, state text, message text, rows int, errors int, applied int, user_id bigint, user_name text, at timestamptz) returning 1`.execute(db)
  await waitingBatch({ db, school_id, app, today }, admin)
}

function ownerOf(mine: boolean, at: number, admin: Active, others: readonly Active[]): Pick<Active, 'user_id' | 'user_name' | 'role_no'> {
  const { user_id, user_name, role_no } = mine ? admin : oneOf(others, at * 7)
  return { user_id, user_name, role_no }
}

async function adminOf({ db, school_id }: Work, staff: readonly Active[]): Promise<Active> {
  const { rows } = await sql<{ user_id: string }>`select user_id from account where username = 'admin01'`.execute(db)
  const admin = staff.find(person => person.user_id === rows[0]?.user_id)
  if (!admin) throw new Error(`school ${school_id} has no administrator`)
  return admin
}

/** A sheet of the dictionary that admin01 has uploaded and not yet confirmed; it can be confirmed as it stands. */
async function waitingBatch({ db, school_id, app, today }: Pick<Work, 'db' | 'school_id' | 'app' | 'today'>, { user_id, user_name }: Active): Promise<void> {
  const batch_no = `${school_id}${today.replaceAll('-', '')}0710000000`
  const file_key = `${school_id}/import/${batch_no}.xlsx`
  const columns = [['sc_code_type', '字典类型'], ['sc_code_item', '代码'], ['name', '名称'], ['order', '顺序'], ['enabled', '启用']].map(([prop = '', label = '']) => ({ prop, label, required: prop.startsWith('sc_') || prop === 'name', options: null }))
  const lines = [['班级荣誉', 'D01', '翰墨班级', '', '是'], ['班级荣誉', 'D02', '节能班级', '', '是'], ['班级荣誉', 'D03', '书声班级', '', '是']]
  const path = app.files.pathOf(file_key)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, await writeTemplate({ sheet: '字典项导入', notes: ['说明'], columns: columns.map(({ prop, label, required }) => ({ prop, label, required, text: true })), samples: lines }))
  const at = new Date(startOfDay(today).getTime() + 7 * hour_ms)
  await sql`
    insert into import_batch (school_id, batch_no, template, file_key, file_name, state, columns, rows_total, rows_new, created_by, created_by_name, created_at)
    values (${school_id}, ${batch_no}, 'dictionary_item', ${file_key}, '班级荣誉补充.xlsx', 'parsed', ${JSON.stringify(columns)}, ${lines.length}, ${lines.length}, ${user_id}, ${user_name}, ${at})`.execute(db)
  await sql`
    insert into import_row (school_id, batch_no, row_no, verdict, diff, errors, warnings)
    select ${school_id}, ${batch_no}, n, 'new', '[]', '[]', '[]' from generate_series(3, ${lines.length + 2}::int) n returning 1`.execute(db)
}
