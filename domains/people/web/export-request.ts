import { duties, exportColumnApi, ExtName, parent_export_fields, parentExportApi, staff_export_fields, staffExportApi, student_export_fields, student_missing, studentExportApi } from '@campus/people/contract'
import { call } from '@kit/web'
import type { PageSearch } from '@kit/web'

/** The lists of people that can be exported. */
export type ExportList = 'student' | 'parent' | 'staff'
/** Names of columns, the school's own fields as `ext.<code>`, and why. */
export type ExportWish = { fields: readonly string[]; reason: string }

const quiet = { quiet: true }

/** The columns a list can be exported with; those the person took the last time are checked. */
export async function readExportColumns(list: ExportList, signal: AbortSignal) {
  return (await call(exportColumnApi[list], {}, { ...quiet, signal })).list
}

/** Asks for the export of the list as the address filters it, and keeps the columns for the next time. @returns its job_no; refusals as with `call` */
export async function startExport(list: ExportList, search: PageSearch, wish: ExportWish): Promise<string> {
  const job_no = await startOf[list](search, wish)
  // The file is on its way; columns that could not be kept are asked again the next time.
  await call(exportColumnApi.remember, { list, fields: [...wish.fields] }, quiet).catch(() => undefined)
  return job_no
}

const startOf: Readonly<Record<ExportList, (search: PageSearch, wish: ExportWish) => Promise<string>>> = {
  async student(search, { fields, reason }) {
    const { dept_id, keyword, state, sex, grade, stage, study_method, on, tag_ids, ext, remark_field, remark_value } = search
    const missing = student_missing.find(name => name === search.missing)
    const filter = { dept_id, keyword, include_sub: '1' as const, state, sex, grade, stage, study_method, on, missing, tag_ids, ext, remark_field, remark_value }
    return (await call(studentExportApi.export, { ...filter, reason, fields: [...chosen(student_export_fields, fields), ...ownOf(fields)] }, quiet)).job_no
  },
  async parent({ dept_id, keyword, is_guardian: flag }, { fields, reason }) {
    const is_guardian = flag === '1' || flag === '0' ? flag : undefined
    return (await call(parentExportApi.export, { dept_id, keyword, include_sub: '1', is_guardian, reason, fields: chosen(parent_export_fields, fields) }, quiet)).job_no
  },
  async staff(search, { fields, reason }) {
    const { dept_id, keyword, kind, state, subject, title, tag_ids, ext } = search
    const duty = duties.find(one => one === search.duty)
    const filter = { dept_id, keyword, kind, state, subject, title, tag_ids, ext, duty, include_sub: '1' as const }
    return (await call(staffExportApi.export, { ...filter, reason, fields: [...chosen(staff_export_fields, fields), ...ownOf(fields)] }, quiet)).job_no
  },
}

/** The chosen built-in columns in the order of the list. */
function chosen<T extends Record<string, string>>(all: T, fields: readonly string[]): (keyof T & string)[]
function chosen(all: Record<string, string>, fields: readonly string[]): string[] {
  return Object.keys(all).filter(name => fields.includes(name))
}

function ownOf(fields: readonly string[]) {
  return fields.filter(name => name.startsWith('ext.')).map(name => ExtName.parse(name))
}
