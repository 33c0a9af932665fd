import { createHmac } from 'node:crypto'
import { rowHash } from '@kit/terminal-protocol'
import { asTables, insertMany, insertReturning } from '@kit/server/db'
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
export type Credential = Source & { user_id: string; cred_kind: Kind; code?: string; file?: { file_key: string; sha256: string }; usable: boolean; blocked_reason?: string; /** from then on no door takes it; absent: for as long as it is declared */ valid_until?: Date | null }
/** Where he may pass and when, until an absolute end at most 400 days ahead. */
export type Grant = Source & { user_id: string; place_id: string; device_id?: string; direction: 1 | 2 | 3; windows: readonly GrantWindow[]; enforcement?: 'local' | 'online'; expires_at: Date }

const longest_grant_ms = 400 * 86_400_000
const subject_facts = ['person_kind', 'user_no', 'user_name', 'dept_name', 'live'] as const
const source_key = ['school_id', 'source', 'source_ref'] as const

/** Makes people known to devices, changes them, or takes them off (`live` false); who is unchanged causes nothing. */
export async function declareSubjects(by: Declarer, rows: readonly Subject[]): Promise<void> {
  const { db, school_id, now } = by
  const changed = await insertReturning(db, 'subject', rows.map(row => ({ school_id, updated_at: now, ...row })), 'user_id', { columns: ['school_id', 'user_id'], set: [...subject_facts, 'updated_at'], differ: subject_facts })
  await dueOf(by, changed)
}

/** Gives people what they are known by; an older version than the one that is there is ignored. */
export async function declareCredentials(by: Declarer, rows: readonly Credential[]): Promise<void> {
  const { app, db, school_id } = by
  const appeared = await ensureSubjects(db, school_id, rows.map(row => row.user_id))
  const newer = await newerOf(by, 'subject_credential', rows)
  const values = newer.map(({ code, file, version, blocked_reason = null, valid_until = null, ...row }) => ({ ...row, school_id, version: String(version), blocked_reason, valid_until, ...(code === undefined ? { sha256: file?.sha256 ?? null, file_key: file?.file_key ?? null } : { code_sealed: sealCode(app.secrets.data_key, school_id, code), code_digest: digestOf(app, school_id, row.cred_kind, code) }) }))
  await insertMany(db, 'subject_credential', values, { columns: source_key, set: ['user_id', 'code_sealed', 'code_digest', 'sha256', 'file_key', 'usable', 'blocked_reason', 'valid_until', 'version'], newer: 'version' })
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
  const values = newer.map(({ windows, version, device_id = null, enforcement = 'local', ...row }) => {
    const known = GrantWindows.parse(windows)
    return { ...row, school_id, device_id, enforcement, version: String(version), windows: JSON.stringify(known), windows_hash: rowHash(known) }
  })
  await insertMany(db, 'subject_grant', values, { columns: source_key, set: ['user_id', 'place_id', 'device_id', 'direction', 'windows', 'windows_hash', 'enforcement', 'expires_at', 'version'], newer: 'version' })
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
