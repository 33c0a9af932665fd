import { setTimeout as pause } from 'node:timers/promises'
import type { TestApp, TestUser } from '@apps/server/testing'
import { importApi } from '@campus/jobs/contract'
import type { ImportBatch, ImportRow } from '@campus/jobs/contract'
import { describeCatalogue } from '@kit/server/db'
import type { Database } from '@kit/server/db'
import { writeTemplate } from '@kit/server/excel'
import { sql } from 'kysely'
import { dept_columns } from '../import/dept.columns.ts'
import type { Field } from '../import/field.ts'
import { freshman_columns } from '../import/freshman.columns.ts'
import { photo_columns } from '../photo/photo.columns.ts'
import { parent_columns } from '../import/parent.columns.ts'
import { staff_columns } from '../import/staff.columns.ts'
import { student_columns } from '../import/student.columns.ts'

export type Line = Record<string, string>
type Template = 'student' | 'parent' | 'teacher' | 'student_photo' | 'department' | 'freshman'
type Column = Pick<Field, 'prop' | 'label' | 'required'>
const columns_of: Record<Template, readonly Column[]> = { student: student_columns, parent: parent_columns, teacher: staff_columns, department: dept_columns, freshman: freshman_columns, student_photo: photo_columns('student_photo') }

const deadline_ms = 60_000
/** Logs, the batch and its rows, jobs, what proves a caller, and the pairs that a scan looks for anew. */
const moving: ReadonlySet<string> = new Set([
  'operation_log', 'archive_log', 'import_batch', 'import_row', 'job', 'work', 'session', 'login_throttle', 'captcha', 'ticket', 'sm2_key', 'remember_token', 'idempotency_key',
  'outbox', 'merge_case', 'message', 'message_person', 'message_delivery',
])

/** A filled-in sheet of people; `own` are columns after those of the template. */
function sheetOf(code: Template, lines: readonly Line[], own: readonly Column[] = []): Promise<Uint8Array> {
  const fields = [...columns_of[code], ...own]
  const columns = fields.map(({ prop, label, required = false }) => ({ prop, label, required, text: true }))
  return writeTemplate({ sheet: '导入', notes: ['说明'], columns, samples: lines.map(cells => fields.map(({ prop }) => cells[prop] ?? '')) })
}

/** The steps of an import as one person takes them. */
export function importer(app: TestApp, { token }: TestUser) {
  const one = async (batch_no: string): Promise<ImportBatch> => importApi.one.details.reply.parse((await app.call(importApi.one, { batch_no }, { token })).body.data)
  const settled = async (batch_no: string): Promise<ImportBatch> => {
    const until = Date.now() + deadline_ms
    for (;;) {
      const batch = await one(batch_no)
      if (!['uploaded', 'parsing', 'applying', 'undoing'].includes(batch.state)) return batch
      if (Date.now() > until) throw new Error(`batch ${batch_no} is still ${batch.state}`)
      await pause(25)
    }
  }
  const rows = async (batch_no: string, more: { only_blocked?: '1'; verdict?: 'error' } = {}): Promise<ImportRow[]> => {
    const answer = await app.call(importApi.rows, { batch_no, page_size: 300, ...more }, { token })
    return importApi.rows.details.reply.parse(answer.body.data).list
  }
  return {
    one,
    settled,
    rows,
    async upload(code: Template, body: Uint8Array, name = `${code}.xlsx`) {
      const answer = await app.call(importApi.upload, { code }, { token, file: { name, body } })
      return settled(importApi.upload.details.reply.parse(answer.body.data).batch_no)
    },
    sheet: sheetOf,
    async dryRun(code: Template, lines: readonly Line[]) {
      return this.upload(code, await sheetOf(code, lines))
    },
    async apply(batch_no: string) {
      await app.call(importApi.apply, { batch_no }, { token })
      return settled(batch_no)
    },
    /** Asks for the undo; the answer, and the batch once nobody works on it. */
    async undo(batch_no: string, partial?: boolean) {
      const answer = await app.call(importApi.undo, { batch_no, partial }, { token })
      return { status: answer.status, msg: answer.body.msg, batch: await settled(batch_no) }
    },
  }
}

/** One line a table: a hash over every row but those of logs, batches, jobs and the lines that tell of them. */
export async function contents(database: Database, school_id: number): Promise<string[]> {
  const tables = (await database.owner(describeCatalogue)).filter(table => !table.is_view && table.partition_of === null && !moving.has(table.name))
  return Promise.all(tables.map(async ({ name }) => {
    const { rows } = await database.tenant<unknown, { rows: { hash: string | null; rows: string }[] }>(school_id, db =>
      sql<{ hash: string | null; rows: string }>`select md5(string_agg(t::text, '|' order by t::text)) as hash, count(*) as rows from ${sql.table(name)} t`.execute(db),
    )
    return `${name} ${rows[0]?.rows} ${rows[0]?.hash ?? ''}`
  }))
}
