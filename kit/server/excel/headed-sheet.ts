import { commonErrors, fail } from '@kit/contract'
import { writeRows } from './export-rows.ts'

/** A column of an exported list: its header and the text of a row. */
export type SheetColumn<Row> = { label: string; numeric?: boolean; text: (row: Row) => string }

/** A filtered list on its way into a sheet; `conditions` are said in its head, `unit` counts its rows. */
export type HeadedSheet<Row> = {
  title: string
  school_name: string
  me: { user_name: string; user_no: string; role_name: string }
  now: Date
  conditions: readonly string[]
  reason?: string
  unit?: string
  columns: readonly SheetColumn<Row>[]
  rows: readonly Row[]
}

/** Rows that an export answers directly (chapter 10 J3). */
export const direct_rows = 5000
/** An export of more people than this tells its reason. */
const reason_above = 1000

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const zone_ms = 8 * 3_600_000

/** An instant as a sheet writes it, to the minute, in the time of the school. */
export function minuteText(at: Date): string {
  return new Date(at.getTime() + zone_ms).toISOString().slice(0, 16).replace('T', ' ')
}

/** Writes a list with the head that every export has: school, who exported it as whom and when, under which conditions and why. */
export async function headedSheet<Row>({ title, school_name, me, now, conditions, reason, unit = '条', columns, rows }: HeadedSheet<Row>): Promise<{ file_name: string; mime: string; body: Buffer }> {
  const at = minuteText(now)
  const why = reason ? `　导出原因：${reason}` : ''
  const head = [
    `${school_name}　${title}　共${rows.length}${unit}`,
    `导出人：${me.user_name}（${me.user_no}）${me.role_name}　导出时间：${at}`,
    `条件：${conditions.join('；') || '全部'}${why}`,
  ]
  const body = await writeRows({ sheet: title, head, columns: columns.map(({ label, numeric }) => ({ label, numeric })), rows: rows.map(row => columns.map(column => column.text(row))) })
  return { file_name: `${title}_${at.replace(/[-: ]/g, '')}.xlsx`, mime: xlsx, body }
}

/** @throws Refusal 422 for more rows than one export answers, or for many rows about people without a reason */
export function requireExportable(rows: number, reason: string, about_people: boolean): void {
  if (rows > direct_rows) throw fail(commonErrors.exportTooBig, { params: { n: direct_rows.toLocaleString('en') } })
  if (about_people && rows > reason_above && reason === '') throw fail(commonErrors.exportReason, { errors: [{ field: 'reason', msg: commonErrors.exportReason.msg }] })
}
