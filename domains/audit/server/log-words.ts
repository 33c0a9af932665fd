import { archive_sources, log_op, moduleName, nounName } from '@campus/audit/contract'
import type { ArchiveLogRow, FieldChange, OperationRow } from '@campus/audit/contract'

const zone_ms = 8 * 3_600_000
const op_names: Readonly<Record<string, string>> = log_op.names
const source_names: Readonly<Record<string, string>> = archive_sources

/** An instant as a sheet writes it, to the second, in the time of the school. */
export function secondText(instant: string): string {
  return new Date(Date.parse(instant) + zone_ms).toISOString().slice(0, 19).replace('T', ' ')
}

/** Columns of the exported operation log: those of its list, in its order. */
export const operation_sheet: readonly { label: string; numeric?: boolean; text: (row: OperationRow) => string }[] = [
  { label: '时间', text: row => secondText(row.happened_at) },
  { label: '操作人', text: row => row.user_name ?? '' },
  { label: '工号', text: row => row.user_no ?? '' },
  { label: '角色', text: row => row.role_name ?? '' },
  { label: '操作类型', text: row => op_names[row.op_type] ?? String(row.op_type) },
  { label: '模块', text: row => moduleName(row.module_code) },
  { label: '事项', text: row => nounName(row.call) },
  { label: '对象', text: row => row.target_name ?? row.target_id ?? '' },
  { label: '结果', text: row => (row.ok ? '成功' : `拒绝 ${row.msg}`) },
  { label: '原因', text: row => row.reason ?? '' },
  { label: 'IP', text: row => row.ip },
  { label: '设备', text: row => row.device_label },
  { label: '耗时（毫秒）', numeric: true, text: row => String(row.duration_ms) },
  { label: '批次', text: row => row.batch_no ?? '' },
]

/** Columns of the exported archive journal; `kinds` are the words of PERSON_KIND. */
export function archiveSheet(kinds: ReadonlyMap<string, string>): readonly { label: string; text: (row: ArchiveLogRow) => string }[] {
  return [
    { label: '时间', text: row => secondText(row.happened_at) },
    { label: '人员类型', text: row => kinds.get(String(row.person_kind)) ?? String(row.person_kind) },
    { label: '姓名', text: row => row.person_name },
    { label: '编号', text: row => row.person_no ?? '' },
    { label: '当时部门', text: row => row.dept_name ?? '' },
    { label: '操作', text: row => op_names[row.op_type] ?? String(row.op_type) },
    { label: '变更字段', text: row => row.changes.map(changeText).join('；') },
    { label: '来源', text: row => source_names[row.source] ?? row.source },
    { label: '批次', text: row => row.batch_no ?? '' },
    { label: '操作人', text: row => row.user_name ?? '系统' },
    { label: '角色', text: row => row.role_name ?? '' },
  ]
}

function changeText({ label, before, after }: FieldChange): string {
  return `${label}：${before ?? '空'} → ${after ?? '空'}`
}
