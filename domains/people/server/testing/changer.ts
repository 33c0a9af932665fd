import { dataOf } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { changeApi } from '@campus/people/contract'
import type { ChangePreview, ChangeReceipt } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { describeCatalogue } from '@kit/server/db'
import { sql } from 'kysely'
import { addDays, schoolDay } from '../day.ts'
import type { PeopleDb } from '../db.ts'
import { buildSmallSchool } from '../people.builders.ts'
import type { SmallSchool } from '../people.builders.ts'
import { enrolStudents } from '../student.create.ts'

export type Draft = Request<typeof changeApi.preview>['draft']

/** Logs, due lists, what proves a caller, and the commands themselves. */
const moving: ReadonlySet<string> = new Set([
  'operation_log', 'archive_log', 'outbox', 'work', 'session', 'login_throttle', 'captcha', 'ticket', 'sm2_key', 'remember_token', 'idempotency_key',
  'change_command', 'change_subject', 'change_effect',
])
/** Versions count writes, and a taken-back write is one more. */
const counters = ['row_version', 'updated_at', 'updated_by']

/** The small school of the tests with classes of no limited size. */
export async function openSchool(app: TestApp, school_id: number): Promise<SmallSchool> {
  const { app: running, database } = app.running
  return database.tenant<PeopleDb, SmallSchool>(school_id, async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const small = await buildSmallSchool(db, running.secrets, school_id, root.id)
    await db.updateTable('dept').set({ capacity: null }).where('school_id', '=', school_id).execute()
    return small
  })
}

/** Puts pupils of these numbers on the roll. @returns their ids in order */
export function pupilsIn(app: TestApp, school_id: number, dept_id: string, numbers: readonly string[], from = '2026-09-01'): Promise<string[]> {
  const rows = numbers.map(student_no => ({ user_name: `学生${student_no}`, sex: '1', student_no, enrol_month: '202609', dept_id, from }))
  return app.running.database.tenant<PeopleDb, string[]>(school_id, db => enrolStudents(db, app.running.app.secrets, school_id, rows))
}

/** The day of the test's clock, some days later. */
export function dayOf(app: TestApp, later = 0): string {
  return addDays(schoolDay(app.clock.now()), later)
}

/** Commands as one person gives them. */
export function changer(app: TestApp, { token }: Pick<TestUser, 'token'>) {
  const preview = (draft: Draft): Promise<Answer> => app.call(changeApi.preview, { draft }, { token })
  const apply = (draft: Draft, plan_hash: string): Promise<Answer> => app.call(changeApi.apply, { draft, plan_hash }, { token })
  const planned = async (draft: Draft): Promise<ChangePreview> => dataOf(changeApi.preview, await preview(draft))
  return {
    preview,
    apply,
    planned,
    /** previews and applies */
    give: async (draft: Draft): Promise<ChangeReceipt> => dataOf(changeApi.apply, await apply(draft, (await planned(draft)).plan_hash)),
    detail: (id: string): Promise<Answer> => app.call(changeApi.detail, { id }, { token }),
    cancel: (id: string): Promise<Answer> => app.call(changeApi.cancel, { id }, { token }),
    undo: (id: string, reason = '办错了'): Promise<Answer> => app.call(changeApi.undo, { id, reason }, { token }),
  }
}

/** Rows of a table of people. */
export function rowsOf<R>(app: TestApp, school_id: number, table: string, user_id: string): Promise<R[]> {
  const whose = table === 'guardian_link' ? sql`student_user_id` : sql`user_id`
  return app.running.database.tenant<PeopleDb, R[]>(school_id, async db => {
    const { rows } = await sql<R>`select * from ${sql.table(table)} t where school_id = ${school_id} and ${whose} = ${user_id} order by valid_from`.execute(db)
    return rows
  })
}

/** A hash of every table of the school but those that may move; versions and times of writes are left out. */
export async function stateHash(app: TestApp, school_id: number): Promise<Record<string, string | null>> {
  const { database } = app.running
  const tables = (await database.owner(describeCatalogue)).filter(table => !table.is_view && table.partition_of === null && !moving.has(table.name))
  const each = tables.map(({ name }) => sql`
    select ${name}::text as name, md5(string_agg((to_jsonb(t) - ${counters}::text[])::text, '|' order by (to_jsonb(t) - ${counters}::text[])::text)) as hash from ${sql.table(name)} t`)
  const { rows } = await database.tenant<unknown, { rows: { name: string; hash: string | null }[] }>(school_id, db => sql<{ name: string; hash: string | null }>`${sql.join(each, sql` union all `)}`.execute(db))
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]))
}
