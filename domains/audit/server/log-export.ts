import { auditErrors, export_rows } from '@campus/audit/contract'
import type { archiveLogApi, systemLogApi } from '@campus/audit/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { writeRows } from '@kit/server/excel'
import type { FileReply, Me, Pre } from '@kit/server/http'
import type { Kysely } from 'kysely'
import { archive_row_columns, archiveAsked } from './archive-log.queries.ts'
import type { StoredArchive } from './archive-log.queries.ts'
import { showArchive } from './archive-log.service.ts'
import type { AuditDb } from './db.ts'
import { readRows } from './log-page.ts'
import type { Asked } from './log-page.ts'
import { archiveSheet, operation_sheet, secondText } from './log-words.ts'
import { operation_row_columns, operationsAsked } from './system-log.queries.ts'
import type { StoredOperation } from './system-log.queries.ts'
import { showOperation } from './system-log.service.ts'

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * The filtered operation log as a sheet: the same rows in the same order, 5,000 at most (chapter 10 J3). The export is itself a line of the log.
 * @throws Refusal 422 without a reason, or for more rows
 */
export async function exportOperations(pre: Pre, { reason, ...query }: Input<typeof systemLogApi.export>): Promise<FileReply> {
  const task = startExport(pre, '系统操作日志', 'audit.system', reason)
  const asked = operationsAsked({ school_id: task.me.school_id, now: pre.now }, query)
  const found = await task.read(async db => readRows<StoredOperation>(db, asked, operation_row_columns, null, export_rows + 1))
  const rows = found.map(row => operation_sheet.map(column => column.text(showOperation(row))))
  return task.write(asked, operation_sheet, rows)
}

/** The filtered archive journal as a sheet, likewise. @throws Refusal 422 without a reason, or for more rows */
export async function exportArchive(pre: Pre, { reason, ...query }: Input<typeof archiveLogApi.export>): Promise<FileReply> {
  const task = startExport(pre, '档案操作日志', 'audit.archive', reason)
  const asked = archiveAsked({ school_id: task.me.school_id, now: pre.now }, query)
  const { found, kinds } = await task.read(async db => ({
    kinds: await personKinds(db, task.me.school_id),
    found: await readRows<StoredArchive>(db, asked, archive_row_columns, null, export_rows + 1),
  }))
  const columns = archiveSheet(kinds)
  return task.write(asked, columns, found.map(row => columns.map(column => column.text(showArchive(row)))))
}

type Columns = readonly { label: string; numeric?: boolean }[]

/** What both exports share: who asks and why, one short transaction to read, and the sheet with its head. */
function startExport(pre: Pre, title: string, target_kind: string, reason: string) {
  const me = actorOf(pre)
  pre.note({ target_kind, target_name: title, reason })
  if (reason === '') throw fail(auditErrors.reasonMissing, { errors: [{ field: 'reason', msg: auditErrors.reasonMissing.msg }] })
  const read = <R>(fn: (db: Kysely<AuditDb>) => Promise<R>) => pre.own<AuditDb, R>(me.school_id, fn)
  const write = async ({ span }: Asked, columns: Columns, rows: string[][]): Promise<FileReply> => {
    if (rows.length > export_rows) throw fail(auditErrors.exportTooBig, { params: { n: export_rows.toLocaleString('en') } })
    pre.note({ target_name: `${title} ${rows.length}条` })
    const now = secondText(pre.now.toISOString())
    const head = [
      `${await read(db => schoolName(db, me.school_id))}　${title}　共${rows.length}条`,
      `导出人：${me.user_name}（${me.user_no}）${me.role_name}　导出时间：${now}`,
      `条件：${span.from} ~ ${span.to}　导出原因：${reason}`,
    ]
    const body = await writeRows({ sheet: title, head, columns: [...columns], rows })
    return { file_name: `${title}_${now.replace(/[-: ]/g, '').slice(0, 12)}.xlsx`, mime: xlsx, body }
  }
  return { me, read, write }
}

/** Who calls; these calls have a need, so there is somebody. */
export function actorOf({ me }: Pre): Me {
  if (!me) throw fail(commonErrors.unauthorized)
  return me
}

async function schoolName(db: Kysely<AuditDb>, school_id: number): Promise<string> {
  const row = await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirst()
  return row?.school_name ?? ''
}

async function personKinds(db: Kysely<AuditDb>, school_id: number): Promise<Map<string, string>> {
  const rows = await db.selectFrom('dictionary_v').select(['sc_code_item', 'name']).where('school_id', '=', school_id).where('sc_code_type', '=', 'PERSON_KIND').execute()
  return new Map(rows.map(row => [row.sc_code_item, row.name]))
}
