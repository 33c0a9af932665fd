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

/** A made sheet as a call answers it. */
export type SheetFile = { file_name: string; mime: string; body: Buffer }

/** Rows that an export answers directly (chapter 10 J3). */
export const direct_rows = 5000
/** An export of more people than this tells its reason. */
export const reason_above = 1000

export const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const zone_ms = 8 * 3_600_000

/** An instant as a sheet writes it, to the minute, in the time of the school. */
export function minuteText(at: Date): string {
  return new Date(at.getTime() + zone_ms).toISOString().slice(0, 16).replace('T', ' ')
}

/** The same to the second, for what follows each other quickly. */
export function secondText(at: Date): string {
  return new Date(at.getTime() + zone_ms).toISOString().slice(0, 19).replace('T', ' ')
}

/** Writes a list with the head that every export has: school, who exported it as whom and when, under which conditions and why. */
export async function headedSheet<Row>({ columns, rows, ...list }: HeadedSheet<Row>): Promise<SheetFile> {
  const { title, now } = list
  const body = await writeRows({ sheet: title, head: headLines({ ...list, total: rows.length }), columns: columns.map(({ label, numeric }) => ({ label, numeric })), rows: rows.map(row => columns.map(column => column.text(row))) })
  return { file_name: sheetName(title, now), mime: xlsx, body }
}

/** The three lines above the header of every export. */
export function headLines({ title, school_name, me, now, conditions, reason, unit = '条', total }: Omit<HeadedSheet<never>, 'columns' | 'rows'> & { total: number }): string[] {
  const why = reason ? `　导出原因：${reason}` : ''
  return [
    `${school_name}　${title}　共${total}${unit}`,
    `导出人：${me.user_name}（${me.user_no}）${me.role_name}　导出时间：${minuteText(now)}`,
    `条件：${conditions.join('；') || '全部'}${why}`,
  ]
}

/** Name of an exported file, with the minute it was made. */
export function sheetName(title: string, now: Date): string {
  return `${title}_${minuteText(now).replace(/[-: ]/g, '')}.xlsx`
}
