import { CredentialBody } from '@kit/terminal-protocol'
import type { DownRow, RowKind } from '@kit/terminal-protocol'
import { rowHash } from '@kit/terminal-protocol'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { openCode } from '../sealed-parts.ts'
import { credentialHash, credentialKey, personBody } from './derive.ts'
import { readGrants, readPermissions, readSubjects } from './facts.queries.ts'
import type { Target } from './facts.queries.ts'
import { configBodies } from '../config/config.plan.ts'
import { password_key, passwordBody } from '../password/password.queries.ts'
import { readContentBodies } from '../board/body.ts'
import { readWarnRules } from '../ai/rule.plan.ts'
import { readRuleBodies } from '../rule/rule.plan.ts'

/** A row that is to be put: its key and the hash it was derived with. */
export type Put = { kind: RowKind; row_key: string; want_hash: string }
type Body = NonNullable<DownRow['body']>
/** The photograph that a row is to bring along. */
export type Photo = { made_key: string; sha256: string; bytes: number }
export type Content = { body: Body; photo?: Photo }
type Reading = { app: App; db: Db; target: Target; now: Date }

/** What the rows hold now, by `kind key`; rows whose content has changed since they were derived are left out: they are about to be derived anew. */
export async function readBodies(reading: Reading, puts: readonly Put[]): Promise<Map<string, Content>> {
  const of = (kind: RowKind) => puts.filter(put => put.kind === kind)
  const bodies = new Map<string, Content & { hash: string }>()
  if (of('permission').length > 0) for (const body of await readPermissions(reading.db, reading.target, reading.now)) bodies.set(`permission ${body.id}`, { hash: rowHash(body), body })
  for (const [key, body] of await peopleAt(reading, of('person').map(put => put.row_key))) bodies.set(`person ${key}`, { hash: rowHash(body), body })
  for (const [key, one] of [...(await credentialsOf(reading, of('credential'))), ...(await facesOf(reading, of('credential')))]) bodies.set(`credential ${key}`, one)
  if (of('rule').length > 0) for (const [key, body] of await readRuleBodies(reading.db, reading.target)) bodies.set(`rule ${key}`, { hash: rowHash(body), body })
  if (of('rule').length > 0) for (const { row_key, hash, body } of await readWarnRules(reading.db, reading.target, reading.now)) bodies.set(`rule ${row_key}`, { hash, body })
  const password = of('config').length > 0 ? await passwordBody(reading.db, reading.app.secrets.data_key, reading.target) : undefined
  if (password) bodies.set(`config ${password_key}`, password)
  if (of('config').length > 0) for (const [key, one] of await configBodies(reading.db, reading.app.secrets.data_key, reading.target, of('config').map(put => put.row_key))) bodies.set(`config ${key}`, one)
  if (of('content').length > 0) for (const [key, one] of await readContentBodies(reading.db, reading.target, of('content').map(put => put.row_key))) bodies.set(`content ${key}`, one)
  return new Map(puts.flatMap(({ kind, row_key, want_hash }) => {
    const found = bodies.get(`${kind} ${row_key}`)
    return found?.hash === want_hash ? [[`${kind} ${row_key}`, found] as const] : []
  }))
}

async function peopleAt({ db, target, now }: Reading, user_ids: readonly string[]) {
  if (user_ids.length === 0) return []
  const grants = await readGrants(db, target, now, user_ids)
  const subjects = await readSubjects(db, target.school_id, user_ids)
  const rights = Map.groupBy(grants, grant => grant.user_id)
  return subjects.map(subject => {
    const permissions = (rights.get(subject.user_id) ?? []).flatMap(grant => grant.permissions)
    return [subject.user_id, personBody(subject, new Set(permissions.map(permission => permission.id)))] as const
  })
}

async function credentialsOf({ app, db, target }: Reading, puts: readonly Put[]) {
  const ids = puts.flatMap(put => (put.row_key.startsWith('c') ? [put.row_key.slice(1)] : []))
  if (ids.length === 0) return []
  const { school_id } = target
  const rows = await db.selectFrom('subject_credential').select(['credential_id', 'user_id', 'cred_kind', 'code_sealed', 'code_digest']).where('school_id', '=', school_id).where(sql<boolean>`credential_id = any(${ids}::bigint[])`).where('usable', '=', true).execute()
  return rows.flatMap(({ credential_id, user_id, cred_kind, code_sealed, code_digest }) => {
    if (code_sealed === null) return []
    const kind = CredentialBody.shape.kind.parse(cred_kind)
    const body = { id: `c${credential_id}`, user_id, kind, code: openCode(app.secrets.data_key, school_id, code_sealed) }
    return [[body.id, { hash: credentialHash({ credential_id, user_id, cred_kind: kind, digest: code_digest ?? '', sha256: null }), body }] as const]
  })
}

/** Faces with the photographs that terminals take of them; of somebody with several the last. */
async function facesOf({ db, target: { school_id } }: Reading, puts: readonly Put[]) {
  const ids = puts.flatMap(put => (put.row_key.startsWith('f') ? [put.row_key.slice(1)] : []))
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('subject_credential as c')
    .innerJoin('device_photo as p', join => join.onRef('p.school_id', '=', 'c.school_id').onRef('p.sha256', '=', 'c.sha256'))
    .select(['c.credential_id', 'c.user_id', 'p.made_key', 'p.made_sha256', 'p.bytes'])
    .where('c.school_id', '=', school_id)
    .where(sql<boolean>`c.user_id = any(${ids}::bigint[])`)
    .where('c.cred_kind', '=', 'face')
    .where('c.usable', '=', true)
    .where('p.state', '=', 'ready')
    .orderBy('c.credential_id')
    .execute()
  return rows.flatMap(({ credential_id, user_id, made_key, made_sha256: sha256, bytes }) => {
    if (made_key === null || sha256 === null || bytes === null) return []
    const body = { id: credentialKey({ credential_id, user_id, cred_kind: 'face' }), user_id, kind: 'face' as const, sha256 }
    return [[body.id, { hash: credentialHash({ credential_id, user_id, cred_kind: 'face', digest: '', sha256 }), body, photo: { made_key, sha256, bytes } }] as const]
  })
}
