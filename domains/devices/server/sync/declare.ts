import { createHmac } from 'node:crypto'
import { rowHash } from '@kit/terminal-protocol'
import { asTables } from '@kit/server/db'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { DevicesDb } from '../db.ts'
import { wakePlanner } from '../notice.ts'
import { askPhotos } from '../photo/photo.queries.ts'
import { sealCode } from '../sealed-parts.ts'
import { ensureSubjects } from '../subject.queries.ts'
import { dueOf } from './due.ts'
import type { CredentialFact, SubjectFact } from './derive.ts'
import { GrantWindows } from './permission.ts'
import type { GrantWindow } from './permission.ts'
import { noteRevoked } from './revoked.ts'

/** Who declares, in his own transaction (chapter 30 rule 1). */
export type Declarer = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }

/** A person as devices are to know him. */
export type Subject = SubjectFact & { live: boolean }
type Kind = CredentialFact['cred_kind']
type Source = { source: string; source_ref: string; version: number }
/** By what he is known: a code, or for a face its file. */
export type Credential = Source & { user_id: string; cred_kind: Kind; code?: string; file?: { file_key: string; sha256: string }; usable: boolean; blocked_reason?: string }
/** Where he may pass and when, until an absolute end at most 400 days ahead. */
export type Grant = Source & { user_id: string; place_id: string; device_id?: string; direction: 1 | 2 | 3; windows: readonly GrantWindow[]; enforcement?: 'local' | 'online'; expires_at: Date }

const longest_grant_ms = 400 * 86_400_000
const most_rows = 500

/** Makes people known to devices, changes them, or takes them off (`live` false); who is unchanged causes nothing. */
export async function declareSubjects(by: Declarer, rows: readonly Subject[]): Promise<void> {
  const { db, school_id, now } = by
  const changed: string[] = []
  for (const part of parts(rows)) {
    const written = await asTables<DevicesDb>(db)
      .insertInto('subject')
      .values(part.map(row => ({ school_id, updated_at: now, ...row })))
      .onConflict(conflict =>
        conflict
          .columns(['school_id', 'user_id'])
          .doUpdateSet(eb => ({ person_kind: eb.ref('excluded.person_kind'), user_no: eb.ref('excluded.user_no'), user_name: eb.ref('excluded.user_name'), dept_name: eb.ref('excluded.dept_name'), live: eb.ref('excluded.live'), updated_at: now }))
          .where(sql<boolean>`(subject.person_kind, subject.user_no, subject.user_name, subject.dept_name, subject.live) is distinct from (excluded.person_kind, excluded.user_no, excluded.user_name, excluded.dept_name, excluded.live)`),
      )
      .returning('user_id')
      .execute()
    changed.push(...written.map(row => row.user_id))
  }
  await dueOf(by, changed)
}

/** Gives people what they are known by; an older version than the one that is there is ignored. */
export async function declareCredentials(by: Declarer, rows: readonly Credential[]): Promise<void> {
  const { app, db, school_id } = by
  const appeared = await ensureSubjects(db, school_id, rows.map(row => row.user_id))
  const newer = await newerOf(by, 'subject_credential', rows)
  for (const part of parts(newer)) {
    const values = part.map(({ code, file, version, blocked_reason = null, ...row }) => ({ ...row, school_id, version: String(version), blocked_reason, ...(code === undefined ? { sha256: file?.sha256 ?? null, file_key: file?.file_key ?? null } : { code_sealed: sealCode(app.secrets.data_key, school_id, code), code_digest: digestOf(app, school_id, row.cred_kind, code) }) }))
    await asTables<DevicesDb>(db)
      .insertInto('subject_credential')
      .values(values)
      .onConflict(conflict =>
        conflict
          .columns(['school_id', 'source', 'source_ref'])
          .doUpdateSet(eb => ({ user_id: eb.ref('excluded.user_id'), code_sealed: eb.ref('excluded.code_sealed'), code_digest: eb.ref('excluded.code_digest'), sha256: eb.ref('excluded.sha256'), file_key: eb.ref('excluded.file_key'), usable: eb.ref('excluded.usable'), blocked_reason: eb.ref('excluded.blocked_reason'), version: eb.ref('excluded.version') }))
          .whereRef('subject_credential.version', '<', 'excluded.version'),
      )
      .execute()
  }
  const files = rows.flatMap(({ file }) => file ?? [])
  await askPhotos(db, school_id, files)
  if (files.length > 0) await wakePlanner({ db, school_id })
  await dueOf(by, [...appeared, ...newer.map(row => row.user_id)])
}

/** Lets people pass somewhere; an older version than the one that is there is ignored. @throws Error when a grant has no end within 400 days */
export async function declareGrants(by: Declarer, rows: readonly Grant[]): Promise<void> {
  const { db, school_id, now } = by
  for (const { expires_at } of rows) if (expires_at.getTime() > now.getTime() + longest_grant_ms) throw new Error('a grant ends within 400 days')
  const appeared = await ensureSubjects(db, school_id, rows.map(row => row.user_id))
  const newer = await newerOf(by, 'subject_grant', rows)
  const users = [...appeared, ...newer.map(row => row.user_id)]
  // Where they could pass before this counts too.
  await dueOf(by, users)
  for (const part of parts(newer)) {
    const values = part.map(({ windows, version, device_id = null, enforcement = 'local', ...row }) => {
      const known = GrantWindows.parse(windows)
      return { ...row, school_id, device_id, enforcement, version: String(version), windows: JSON.stringify(known), windows_hash: rowHash(known) }
    })
    await asTables<DevicesDb>(db)
      .insertInto('subject_grant')
      .values(values)
      .onConflict(conflict =>
        conflict
          .columns(['school_id', 'source', 'source_ref'])
          .doUpdateSet(eb => ({ user_id: eb.ref('excluded.user_id'), place_id: eb.ref('excluded.place_id'), device_id: eb.ref('excluded.device_id'), direction: eb.ref('excluded.direction'), windows: eb.ref('excluded.windows'), windows_hash: eb.ref('excluded.windows_hash'), enforcement: eb.ref('excluded.enforcement'), expires_at: eb.ref('excluded.expires_at'), version: eb.ref('excluded.version') }))
          .whereRef('subject_grant.version', '<', 'excluded.version'),
      )
      .execute()
  }
  await dueOf(by, users)
}

/** Takes back what a source has declared, credentials and grants alike; that it is gone from the last device is told as `device.row.acked`. */
export async function revoke(by: Declarer, source: string, source_refs: readonly string[]): Promise<void> {
  const { db, school_id } = by
  const refs = [...source_refs]
  await noteRevoked(by, source, refs)
  const { rows } = await sql<{ user_id: string }>`
    select user_id from subject_credential where school_id = ${school_id} and source = ${source} and source_ref = any(${refs}::text[])
    union select user_id from subject_grant where school_id = ${school_id} and source = ${source} and source_ref = any(${refs}::text[])`.execute(db)
  await dueOf(by, rows.map(row => row.user_id))
  for (const table of ['subject_credential', 'subject_grant'] as const) {
    await asTables<DevicesDb>(db).deleteFrom(table).where('school_id', '=', school_id).where('source', '=', source).where(sql<boolean>`source_ref = any(${refs}::text[])`).execute()
  }
}

/**
 * Of what sources declare that which is newer than what is known: nothing is sealed, written or derived for the rest. A row that another transaction is taking back is waited for, so that it counts as gone.
 */
async function newerOf<R extends Source>({ db, school_id }: Declarer, table: 'subject_credential' | 'subject_grant', rows: readonly R[]): Promise<R[]> {
  const known = new Map<string, string>()
  for (const [source, of_source] of Map.groupBy(rows, row => row.source)) {
    const found = await asTables<DevicesDb>(db).selectFrom(table).select(['source_ref', 'version']).where('school_id', '=', school_id).where('source', '=', source).where(sql<boolean>`source_ref = any(${of_source.map(row => row.source_ref)}::text[])`).forKeyShare().execute()
    for (const { source_ref, version } of found) known.set(`${source} ${source_ref}`, version)
  }
  return rows.filter(({ source, source_ref, version }) => {
    const before = known.get(`${source} ${source_ref}`)
    return before === undefined || BigInt(before) < BigInt(version)
  })
}

/** What stands for a code where it must be found or compared without being told. */
export function digestOf(app: App, school_id: number, cred_kind: Kind, code: string): string {
  return createHmac('sha256', app.secrets.id_index_key).update(`devices.credential:${school_id}:${cred_kind}:${code}`).digest('hex')
}

function parts<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / most_rows) }, (_, at) => rows.slice(at * most_rows, (at + 1) * most_rows))
}
