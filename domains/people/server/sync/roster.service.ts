import { writeFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { startSheet } from '@campus/jobs/server'
import { peopleErrors } from '@campus/people/contract'
import type { SyncKind, SyncLog, syncApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { writeTemplate } from '@kit/server/excel'
import type { Pre } from '@kit/server/http'
import { z } from 'zod'
import type { PeopleCtx, PeopleDb } from '../db.ts'
import { dept_columns } from '../import/dept.columns.ts'
import type { Field } from '../import/field.ts'
import { staff_columns } from '../import/staff.columns.ts'
import { student_columns } from '../import/student.columns.ts'
import { deptLines, staffLines, studentLines } from './one-roster.ts'
import type { RosterFile, RosterFiles, RosterLines, RosterWords } from './one-roster.ts'
import { readRoster } from './roster.read.ts'
import { rosterWords } from './roster.words.ts'

type Sheet = { code: string; title: string; columns: readonly Field[]; lines: (files: RosterFiles, words: RosterWords) => RosterLines }
type Prepared = { sheet: Sheet; told: RosterLines; file_key: string }

const sheets: Readonly<Record<SyncKind, { needed: RosterFile; sheets: readonly Sheet[] }>> = {
  dept: { needed: 'orgs', sheets: [{ code: 'department', title: '名册同步：部门班级', columns: dept_columns, lines: deptLines }] },
  user: {
    needed: 'users',
    sheets: [
      { code: 'student', title: '名册同步：学生', columns: student_columns, lines: studentLines },
      { code: 'teacher', title: '名册同步：教职工', columns: staff_columns, lines: staffLines },
    ],
  },
}
const Batches = z.array(z.object({ batch_no: z.string(), template: z.string(), lines: z.number().int() }))

/**
 * Turns the roster of an upstream system into ordinary imports, whose dry run begins; nothing is written by it.
 * @throws Refusal 422 rosterFile for an archive that is none, lacks what is asked, or says nothing about anybody
 */
export async function syncRoster(pre: Pre, kind: SyncKind, { source }: Input<typeof syncApi.dept>): Promise<(ctx: PeopleCtx) => Promise<SyncLog>> {
  const { me, file, app } = pre
  if (!me) throw fail(commonErrors.unauthorized)
  if (!file) throw fail(commonErrors.malformed)
  const { needed, sheets: wanted } = sheets[kind]
  const files = await readRoster(file.path)
  if (!files[needed]) throw fail({ ...peopleErrors.rosterFile, msg: `压缩包中没有 ${needed}.csv，请从上游系统导出完整的 OneRoster CSV` })
  const words = await pre.own<PeopleDb, RosterWords>(me.school_id, db => rosterWords(db, me.school_id, pre.now))
  const told = wanted.map(sheet => ({ sheet, told: sheet.lines(files, words) })).filter(one => one.told.lines.length > 0)
  if (told.length === 0) throw fail({ ...peopleErrors.rosterFile, msg: '名册中没有可以导入的内容，请核对导出范围' })
  const prepared: Prepared[] = []
  for (const one of told) prepared.push({ ...one, file_key: await app.files.keep(await writeSheet(app.files.scratch(), one), me.school_id, 'import', '.xlsx') })
  const file_name = [...file.file_name].slice(-200).join('')
  const read = Object.values(files).reduce((sum, rows) => sum + (rows?.length ?? 0), 0)
  return ctx => enter(ctx, { kind, source, file_name, read }, prepared)
}

async function writeSheet(path: string, { sheet, told }: Omit<Prepared, 'file_key'>): Promise<string> {
  const columns = sheet.columns.map(({ prop, label, required = false }) => ({ prop, label, required, text: true }))
  await writeFile(path, await writeTemplate({ sheet: '导入', notes: [sheet.title], columns, samples: told.lines.map(line => sheet.columns.map(({ prop }) => line[prop] ?? '')) }))
  return path
}

type Handed = Pick<SyncLog, 'kind' | 'source' | 'file_name' | 'read'>

async function enter(ctx: PeopleCtx, handed: Handed, prepared: readonly Prepared[]): Promise<SyncLog> {
  const { db, school_id, me, now, app } = ctx
  const stem = basename(handed.file_name, extname(handed.file_name))
  const batches: SyncLog['batches'] = []
  for (const { sheet, told, file_key } of prepared) {
    const batch_no = await startSheet({ db, app, school_id, me, now }, sheet, { file_key, file_name: `${stem}.xlsx` })
    batches.push({ batch_no, template: sheet.code, lines: told.lines.length })
  }
  // A sheet of its own counts what it leaves out; what is gone upstream is the same whichever sheet is looked at.
  const counts = { ignored: prepared.reduce((sum, { told }) => sum + told.ignored, 0), removed: Math.max(...prepared.map(({ told }) => told.removed)) }
  const row = { ...handed, ...counts, created_by_name: me.user_name }
  const { id } = await db
    .insertInto('roster_sync')
    .values({ school_id, ...row, batches: JSON.stringify(batches), created_by: me.user_id, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'people.sync', target_id: id, target_name: handed.file_name, after: { batches: batches.map(batch => batch.batch_no).join('、') } })
  return { id, ...row, batches, created_at: now.toISOString() }
}

/** Rosters that were handed in, the newest first. */
export async function listSyncs(ctx: PeopleCtx, { page_index, page_size }: Input<typeof syncApi.logs>): Promise<Reply<typeof syncApi.logs>> {
  const { db, school_id } = ctx
  const from = db.selectFrom('roster_sync').where('school_id', '=', school_id)
  const { total } = await from.select(eb => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  const rows = await from.select(['id', 'kind', 'source', 'file_name', 'batches', 'read', 'ignored', 'removed', 'created_by_name', 'created_at']).orderBy('id', 'desc').limit(page_size).offset((page_index - 1) * page_size).execute()
  const list = rows.map(row => ({ ...row, kind: row.kind === 'dept' ? ('dept' as const) : ('user' as const), source: 'oneroster' as const, batches: Batches.parse(row.batches), created_at: row.created_at.toISOString() }))
  return { list, total: Number(total) }
}
