import { CredentialBody } from '@kit/terminal-protocol'
import type { DownRow, RowKind } from '@kit/terminal-protocol'
import { rowHash } from '@kit/terminal-protocol'
import type { App } from '@kit/server/http'
import { runKept } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { openCode } from '../sealed-parts.ts'
import { credentialHash, credentialKey, personBody, personHash, untilOf } from './derive.ts'
import { readGrantsAt, readPermissions, readSubjects } from './facts.queries.ts'
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
type Reading = { app: App; db: Db; school_id: number; now: Date }
/** What is to be put onto a device. */
export type Putting = { target: Target; puts: readonly Put[] }
type Found = Map<string, Content & { hash: string }>

/**
 * What rows hold now, of several devices at once; what all of them are told alike is read once. The answer tells the content of a row of a device, undefined for one whose content has changed since it was derived: it is about to be
 * derived anew.
 */
export async function readBodies(reading: Reading, devices: readonly Putting[]): Promise<(device_id: string, put: Put) => Content | undefined> {
  const credentials = devices.flatMap(({ puts }) => puts.filter(put => put.kind === 'credential'))
  const shared: Found = new Map([...(await credentialsOf(reading, credentials)), ...(await facesOf(reading, credentials))].map(([key, one]) => [`credential ${key}`, one]))
  const people = await peopleAt(reading, devices)
  const own = new Map<string, Found>()
  for (const device of devices) own.set(device.target.device_id, await readOwn(reading, device, people.get(device.target.device_id) ?? new Map()))
  return (device_id, { kind, row_key, want_hash }) => {
    const found = kind === 'credential' ? shared.get(`credential ${row_key}`) : own.get(device_id)?.get(`${kind} ${row_key}`)
    return found?.hash === want_hash ? found : undefined
  }
}

/** What a device is told that no other one is. */
async function readOwn({ app, db, now }: Reading, { target, puts }: Putting, people: Found): Promise<Found> {
  const of = (kind: RowKind) => puts.filter(put => put.kind === kind).map(put => put.row_key)
  const bodies: Found = new Map(people)
  if (of('permission').length > 0) for (const body of await readPermissions(db, target, now)) bodies.set(`permission ${body.id}`, { hash: rowHash(body), body })
  if (of('rule').length > 0) for (const [key, body] of await readRuleBodies(db, target)) bodies.set(`rule ${key}`, { hash: rowHash(body), body })
  if (of('rule').length > 0) for (const { row_key, hash, body } of await readWarnRules(db, target, now)) bodies.set(`rule ${row_key}`, { hash, body })
  const password = of('config').length > 0 ? await passwordBody(db, app.secrets.data_key, target) : undefined
  if (password) bodies.set(`config ${password_key}`, password)
  if (of('config').length > 0) for (const [key, one] of await configBodies(db, app.secrets.data_key, target, of('config'))) bodies.set(`config ${key}`, one)
  if (of('content').length > 0) for (const [key, one] of await readContentBodies(db, target, of('content'))) bodies.set(`content ${key}`, one)
  return bodies
}

/** People as each device is to hold them, by device. */
async function peopleAt({ db, school_id, now }: Reading, devices: readonly Putting[]): Promise<ReadonlyMap<string, Found>> {
  const asked = devices.map(({ target, puts }) => ({ target, users: new Set(puts.flatMap(put => (put.kind === 'person' ? put.row_key : []))) })).filter(({ users }) => users.size > 0)
  const users = [...new Set(asked.flatMap(one => [...one.users]))]
  if (users.length === 0) return new Map()
  const grants = await readGrantsAt(db, asked.map(one => one.target), now, users)
  const subjects = await readSubjects(db, school_id, users)
  return new Map(asked.map(({ target: { device_id }, users: own }) => {
    const rights = Map.groupBy(grants.get(device_id) ?? [], grant => grant.user_id)
    return [device_id, new Map(subjects.filter(subject => own.has(subject.user_id)).map(subject => {
      const body = personBody(subject, new Set((rights.get(subject.user_id) ?? []).flatMap(grant => grant.permissions.map(permission => permission.id))))
      return [`person ${subject.user_id}`, { hash: personHash(subject, body.permission_ids), body }] as const
    }))] as const
  }))
}

async function credentialsOf({ app, db, school_id }: Reading, puts: readonly Put[]) {
  const ids = keysOf(puts, 'c')
  if (ids.length === 0) return []
  const rows = await db.selectFrom('subject_credential').select(['credential_id', 'user_id', 'cred_kind', 'code_sealed', 'code_digest', 'valid_until']).where('school_id', '=', school_id).where(sql<boolean>`credential_id = any(${ids}::bigint[])`).where('usable', '=', true).execute()
  return rows.flatMap(({ credential_id, user_id, cred_kind, code_sealed, code_digest, valid_until }) => {
    if (code_sealed === null) return []
    const kind = CredentialBody.shape.kind.parse(cred_kind)
    const body = { id: `c${credential_id}`, user_id, kind, code: openCode(app.secrets.data_key, school_id, code_sealed), ...untilOf({ valid_until }) }
    const hash = credentialHash({ credential_id, user_id, cred_kind: kind, digest: code_digest ?? '', sha256: null, valid_until })
    return [[body.id, { hash, body }] as const]
  })
}

type FacePicture = { credential_id: string; user_id: string; valid_until: Date | null; made_key: string | null; made_sha256: string | null; bytes: number | null }

/** Faces with the photographs that terminals take of them; of somebody with several the last. */
async function facesOf({ db, school_id }: Reading, puts: readonly Put[]) {
  const ids = keysOf(puts, 'f')
  if (ids.length === 0) return []
  // Each photograph by its key: joined at once all of them were read where the statistics are of yesterday.
  const { rows } = await runKept(db, 'devices.faces_of', sql<FacePicture>`
    select c.credential_id::text as credential_id, c.user_id::text as user_id, c.valid_until, p.made_key, p.made_sha256, p.bytes from subject_credential c
    cross join lateral (select made_key, made_sha256, bytes from device_photo where school_id = ${school_id} and sha256 = c.sha256 and state = 'ready' limit 1) p
    where c.school_id = ${school_id} and c.user_id = any(${ids}::bigint[]) and c.cred_kind = 'face' and c.usable order by c.credential_id`.compile(db))
  return rows.flatMap(({ credential_id, user_id, made_key, made_sha256: sha256, bytes, valid_until }) => {
    if (made_key === null || sha256 === null || bytes === null) return []
    const body = { id: credentialKey({ credential_id, user_id, cred_kind: 'face' }), user_id, kind: 'face' as const, sha256, ...untilOf({ valid_until }) }
    const hash = credentialHash({ credential_id, user_id, cred_kind: 'face', digest: '', sha256, valid_until })
    return [[body.id, { hash, body, photo: { made_key, sha256, bytes } }] as const]
  })
}

/** What stands behind the first letter of the keys that begin with it, each once. */
function keysOf(puts: readonly Put[], letter: 'c' | 'f'): string[] {
  return [...new Set(puts.flatMap(put => (put.row_key.startsWith(letter) ? [put.row_key.slice(1)] : [])))]
}
