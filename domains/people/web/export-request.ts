import { parent_export_fields, parentExportApi, student_export_fields, student_missing, studentExportApi } from '@campus/people/contract'
import { call } from '@kit/web'
import type { PageSearch } from '@kit/web'
import type { RecordTab } from './record-search.ts'

/** Columns that a list can be exported with. */
export function exportFields(tab: RecordTab): Readonly<Record<string, string>> {
  return tab === 'student' ? student_export_fields : parent_export_fields
}

type OwnColumn = `ext.${string}`

/** Asks for the export of the list as the address filters it. @returns its job_no; refusals as with `call` */
export async function startExport(tab: RecordTab, search: PageSearch, { fields, own, reason }: { fields: readonly string[]; own: readonly OwnColumn[]; reason: string }): Promise<string> {
  const { dept_id, keyword } = search
  const shared = { dept_id, keyword, include_sub: '1' as const, reason }
  const options = { quiet: true }
  if (tab === 'parent') {
    const flag = search.is_guardian === '1' || search.is_guardian === '0' ? search.is_guardian : undefined
    return (await call(parentExportApi.export, { ...shared, is_guardian: flag, fields: chosen(parent_export_fields, fields) }, options)).job_no
  }
  const { state, sex, grade, stage, study_method, on, tag_ids, ext, remark_field, remark_value } = search
  const missing = student_missing.find(name => name === search.missing)
  return (await call(studentExportApi.export, { ...shared, state, sex, grade, stage, study_method, on, missing, tag_ids, ext, remark_field, remark_value, fields: [...chosen(student_export_fields, fields), ...own] }, options)).job_no
}

/** The chosen columns in the order of the list. */
function chosen<T extends Record<string, string>>(all: T, fields: readonly string[]): (keyof T & string)[]
function chosen(all: Record<string, string>, fields: readonly string[]): string[] {
  return Object.keys(all).filter(name => fields.includes(name))
}
