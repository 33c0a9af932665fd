import { auditErrors } from '@campus/audit/contract'
import type { archiveLogApi, systemLogApi } from '@campus/audit/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { exportList, job_rows, listExport, rows_per_page } from '@kit/server/excel'
import type { ListDesk, ListExport, OpenedList } from '@kit/server/excel'
import type { Me, Pre } from '@kit/server/http'
import type { Kysely } from 'kysely'
import { archive_row_columns, archiveAsked } from './archive-log.queries.ts'
import type { ArchiveAsked, StoredArchive } from './archive-log.queries.ts'
import { showArchive } from './archive-log.service.ts'
import type { AuditDb } from './db.ts'
import { behind, countRows, readRows, upTo } from './log-page.ts'
import type { Asked, Placed } from './log-page.ts'
import { archiveSheet, operation_sheet } from './log-words.ts'
import { operation_row_columns, operationsAsked } from './system-log.queries.ts'
import type { OperationAsked, StoredOperation } from './system-log.queries.ts'

/** The filtered operation log, in the order of its list. */
export const operationExport = listExport<OperationAsked>({
  name: 'audit.system',
  is_about_people: false,
  open: (desk, query) => openLog<StoredOperation>(desk, operationsAsked(desk, query), {
    title: '系统操作日志',
    target_kind: 'audit.system',
    left_out: query.routine ? undefined : '不含页面自动产生的记录',
    names: operation_row_columns,
    columns: operation_sheet,
    textOf: row => operation_sheet.map(column => column.text({ ...row, acted_for_name: null, happened_at: row.happened_at.toISOString() })),
  }),
})

/** The filtered archive journal, likewise. */
export const archiveExport = listExport<ArchiveAsked>({
  name: 'audit.archive',
  is_about_people: false,
  async open(desk, query) {
    const columns = archiveSheet(await desk.read((db: Kysely<AuditDb>) => personKinds(db, desk.school_id)))
    return openLog<StoredArchive>(desk, archiveAsked(desk, query), { title: '档案操作日志', target_kind: 'audit.archive', names: archive_row_columns, columns, textOf: row => columns.map(column => column.text(showArchive(row))) })
  },
})

/** Begins the export of the operation log (chapter 10 J3). The export is itself a line of the log. @throws Refusal 422 without a reason, or for too many rows */
export function exportOperations(pre: Pre, { reason, ...query }: Input<typeof systemLogApi.export>) {
  return startExport(pre, operationExport, query, reason)
}

/** Begins the export of the archive journal, likewise. @throws Refusal 422 without a reason, or for too many rows */
export function exportArchive(pre: Pre, { reason, ...query }: Input<typeof archiveLogApi.export>) {
  return startExport(pre, archiveExport, query, reason)
}

async function startExport(pre: Pre, list: ListExport, query: object, reason: string) {
  pre.note({ target_kind: list.name })
  if (reason === '') throw fail(auditErrors.reasonMissing, { errors: [{ field: 'reason', msg: auditErrors.reasonMissing.msg }] })
  return exportList(pre, list, query, reason)
}

type Journal<Row> = { title: string; target_kind: string; left_out?: string; names: readonly string[]; columns: OpenedList['columns']; textOf(row: Row): string[] }
type First = { newest: string | null; total: number; school_name: string }

/** A journal as it stands now: what is written while it is read does not belong to it. */
async function openLog<Row extends object>(desk: ListDesk, asked: Asked, { title, target_kind, left_out, names, columns, textOf }: Journal<Row>): Promise<OpenedList> {
  const { school_id, read } = desk
  const { newest, total, school_name } = await read<AuditDb, First>(async db => {
    const [first] = await readRows<Row>(db, asked, names, null, 1)
    return { newest: first?.position ?? null, total: first ? await countRows(db, upTo(asked, first.position), job_rows) : 0, school_name: await schoolName(db, school_id) }
  })
  const whole = newest === null ? asked : upTo(asked, newest)
  const page = (last: Placed | null) => read<AuditDb, (Row & Placed)[]>(db => readRows<Row>(db, whole, names, last && behind(last), rows_per_page))
  return {
    title, school_name, total, columns,
    conditions: [`${asked.span.from} ~ ${asked.span.to}`, ...(left_out === undefined ? [] : [left_out])],
    noted: { target_kind, target_name: `${title} ${total}条` },
    async* pages() {
      if (newest === null) return
      for (let rows = await page(null), last = rows.at(-1); last; rows = await page(last), last = rows.at(-1)) yield rows.map(textOf)
    },
  }
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
