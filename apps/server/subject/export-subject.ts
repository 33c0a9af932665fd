import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { archive, writeOperation } from '@campus/audit/server'
import type { Boot } from '@kit/server/http'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { fileKeys, heldAbout } from './held.ts'
import type { HeldTable } from './held.ts'
import { subjectPage } from './page.ts'
import type { Subject } from './page.ts'
import { takeFiles } from './subject-files.ts'
import type { TakenFile } from './subject-files.ts'

/** LOG_OP 导出, 查看敏感信息 */
const [export_op, reveal_op] = [7, 13]

/**
 * Writes everything that is held about one person of a school into a new folder: a readable page, the same as data.json, and the person's files, plain. That it was done is a line
 * in both journals, with its reason, and one for each file that lay encrypted, committed before the folder gets its name.
 * @throws Error in one line for an unknown person, a missing reason or a folder that is there
 */
export async function exportSubject(boot: Boot, who: { school_id: number; person: string; reason: string }, folder: string): Promise<{ subject: Subject; tables: number; rows: number; files: number }> {
  if (existsSync(folder)) throw new Error(`${folder} is there already: name a new folder`)
  const { app, database } = boot
  const now = app.clock.now()
  const unfinished = `${folder}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(join(unfinished, 'files'), { recursive: true, mode: 0o700 })
  const held = await database.tenant<unknown, { subject: Subject; tables: HeldTable[] }>(who.school_id, async db => {
    const subject = await findSubject(db, who)
    return { subject, tables: await heldAbout(db, app.secrets, subject) }
  }, { read_only: true })
  const { subject, tables } = held
  const files = await takeFiles(boot, who.school_id, fileKeys(tables), join(unfinished, 'files'))
  await writeFile(join(unfinished, 'index.html'), subjectPage(subject, tables, files, now, who.reason), { mode: 0o600 })
  await writeFile(join(unfinished, 'data.json'), `${JSON.stringify({ subject, made_at: now.toISOString(), reason: who.reason, tables, files }, null, 1)}\n`, { mode: 0o600 })
  await database.tenant<unknown, void>(who.school_id, db => log(db, subject, files, { reason: who.reason, now }))
  await rename(unfinished, folder)
  return { subject, tables: tables.length, rows: tables.reduce((sum, table) => sum + table.rows.length, 0), files: files.filter(file => file.file_name !== null).length }
}

async function findSubject(db: Kysely<unknown>, { school_id, person }: { school_id: number; person: string }): Promise<Subject> {
  const { rows } = await sql<Subject>`
    select u.school_id, s.school_name, u.user_id::text as user_id, u.user_no, u.user_name from school_user u join school s on s.school_id = u.school_id
    where u.school_id = ${school_id} and (u.user_no = ${person} or u.user_id::text = ${person}) order by (u.user_no = ${person}) desc limit 1`.execute(db)
  const [found] = rows
  if (!found) throw new Error(`school ${school_id} has nobody with the number ${person}`)
  return found
}

async function log(db: Kysely<unknown>, { school_id, user_id, user_no, user_name }: Subject, files: readonly TakenFile[], { reason, now }: { reason: string; now: Date }): Promise<void> {
  const request_id = randomUUID()
  const line = {
    request: { request_id, ip: '127.0.0.1', device_label: 'campus export-subject', client: 'web' }, ok: true, code: 600, msg: '操作成功', duration_ms: 0, happened_at: now, user_name: '运维命令行', reason,
  } as const
  await writeOperation(db, school_id, { ...line, op_type: export_op, call: 'people.person.export', target_kind: 'people.person', target_id: user_id, target_name: user_name })
  for (const { file_key, purpose } of files.filter(file => file.was_sealed)) {
    await writeOperation(db, school_id, { ...line, op_type: reveal_op, call: 'files.file.view', target_kind: 'file', target_id: file_key, target_name: `${user_name} ${purpose ?? ''}` })
  }
  const { rows } = await sql<{ user_kind: number }>`select user_kind from school_user where school_id = ${school_id} and user_id = ${user_id}`.execute(db)
  await archive(db, { school_id, at: now, request_id, user_name: '运维命令行' }, [{ person_kind: rows[0]?.user_kind ?? 1, person_id: user_id, person_no: user_no, person_name: user_name, op_type: export_op, source: 'typed' }])
}
