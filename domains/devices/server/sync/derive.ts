import { rowHash } from '@kit/terminal-protocol'
import type { CredentialBody, PermissionBody, PersonBody, RowKind } from '@kit/terminal-protocol'
import type { z } from 'zod'
import { HashMemory } from './hash-memory.ts'

/** A living person as devices know him. */
export type SubjectFact = { user_id: string; person_kind: number; user_no: string; user_name: string; dept_name: string | null }
/** By what a person is known; `digest` stands for the sealed code. */
export type CredentialFact = { credential_id: string; user_id: string; cred_kind: z.output<typeof CredentialBody>['kind']; digest: string; sha256: string | null; bytes: number | null; usable: boolean; blocked_reason: string | null; /** why its picture cannot go, null when it can */ photo_fault: string | null; /** the first moment at which no door takes it, null: it has none */ valid_until: Date | null }
/** That a person may pass the place of the device: the permissions of his that still let him in. */
export type GrantFact = { user_id: string; permissions: readonly PermissionBody[] }
/** What the device can hold. */
export type Bounds = { credential_kinds: readonly string[]; max_persons: number; max_faces: number; photo_max_bytes: number; password_lengths: readonly number[] }

/** A row a device must hold; a blocked one says why it is not sent. */
export type WantedRow = { kind: RowKind; row_key: string; user_id: string | null; hash: string; prio: number; blocked: string | null }
export type Facts = { subjects: readonly SubjectFact[]; credentials: readonly CredentialFact[]; grants: readonly GrantFact[]; bounds: Bounds }

const hashes = new HashMemory(100_000)

/** Order on the wire: permissions before people before what they are known by, faces last (chapter 30 rule 4). */
const put_prio = { permission: 4, person: 5, code: 6, face: 7 } as const

/**
 * Everything a device must hold, of what is granted at its place: pure and in no order, the same facts give the same rows (chapter 30 rule 2).
 */
export function deriveRows({ subjects, credentials, grants, bounds }: Facts): WantedRow[] {
  const permissions = new Map<string, PermissionBody>()
  const rights = new Map<string, Set<string>>()
  for (const { user_id, permissions: own } of grants) {
    for (const permission of own) {
      permissions.set(permission.id, permission)
      const held = rights.get(user_id) ?? new Set()
      rights.set(user_id, held.add(permission.id))
    }
  }
  const people = subjects.filter(subject => rights.has(subject.user_id)).toSorted((a, b) => compareIds(a.user_id, b.user_id))
  const known = new Set(people.map(person => person.user_id))
  const fits = new Set(people.slice(0, bounds.max_persons).map(person => person.user_id))
  const [faces, codes] = parted(credentials.filter(one => known.has(one.user_id) && bounds.credential_kinds.includes(one.cred_kind)))
  return [
    ...[...permissions.values()].map((body): WantedRow => ({ kind: 'permission', row_key: body.id, user_id: null, hash: rowHash(body), prio: put_prio.permission, blocked: null })),
    ...people.map((person): WantedRow => ({ kind: 'person', row_key: person.user_id, user_id: person.user_id, hash: personHash(person, rights.get(person.user_id) ?? []), prio: put_prio.person, blocked: fits.has(person.user_id) ? null : 'capacity' })),
    ...codes.map(one => credentialRow(one, bounds, fits.has(one.user_id))),
    ...facesOf(faces, bounds).map(([one, has_room]) => credentialRow(one, bounds, has_room && fits.has(one.user_id))),
  ]
}

/** Faces, and all that is no face. */
function parted(credentials: readonly CredentialFact[]): [CredentialFact[], CredentialFact[]] {
  return [credentials.filter(one => one.cred_kind === 'face'), credentials.filter(one => one.cred_kind !== 'face')]
}

/** One face a person, the one that was given last, and whether there is room for it; none where the device holds no faces. */
function facesOf(faces: readonly CredentialFact[], { max_faces }: Bounds): [CredentialFact, boolean][] {
  if (max_faces === 0) return []
  const last = new Map(faces.toSorted((a, b) => compareIds(a.credential_id, b.credential_id)).map(one => [one.user_id, one]))
  return [...last.values()].toSorted((a, b) => compareIds(a.user_id, b.user_id)).map((one, at) => [one, at < max_faces])
}

/** By number: the longer one is the greater. */
function compareIds(a: string, b: string): number {
  return a.length === b.length ? (a < b ? -1 : 1) : a.length - b.length
}

/** A person as a device holds him. */
export function personBody({ user_id, person_kind, user_no, user_name, dept_name }: SubjectFact, permission_ids: Iterable<string>): PersonBody {
  return { user_id, name: user_name, no: user_no, ...(dept_name === null ? {} : { dept: dept_name }), kind: person_kind, permission_ids: [...permission_ids].toSorted() }
}

/** Hash of a person. The same person is derived for every door of a school: his hash is made once. */
export function personHash(person: SubjectFact, permission_ids: Iterable<string>): string {
  const ids = [...permission_ids].toSorted()
  const { user_id, person_kind, user_no, user_name, dept_name } = person
  return hashes.of(JSON.stringify([user_id, person_kind, user_no, user_name, dept_name, ids]), () => personBody(person, ids))
}

/** The key of a credential on every device: stable as long as it lives (chapter 31 §5.7.4). */
export function credentialKey({ credential_id, user_id, cred_kind }: { credential_id: string; user_id: string; cred_kind: string }): string {
  return cred_kind === 'face' ? `f${user_id}` : `c${credential_id}`
}

type Hashed = Pick<CredentialFact, 'credential_id' | 'user_id' | 'cred_kind' | 'digest' | 'sha256' | 'valid_until'>

/** Hash of a credential: its code never leaves its seal for it. */
export function credentialHash(one: Hashed): string {
  const content = one.sha256 ?? one.digest
  const end = untilOf(one)
  const name = `${credentialKey(one)} ${one.user_id} ${one.cred_kind} ${content} ${end.until ?? ''}`
  return hashes.of(name, () => ({ key: credentialKey(one), user_id: one.user_id, kind: one.cred_kind, content, ...end }))
}

/** The end of a credential as a device holds it (chapter 40 rule 12). */
export function untilOf({ valid_until }: Pick<CredentialFact, 'valid_until'>): { until?: string } {
  return valid_until === null ? {} : { until: valid_until.toISOString() }
}

function credentialRow(one: CredentialFact, bounds: Bounds, fits: boolean): WantedRow {
  const is_face = one.cred_kind === 'face'
  return { kind: 'credential', row_key: credentialKey(one), user_id: one.user_id, hash: credentialHash(one), prio: is_face ? put_prio.face : put_prio.code, blocked: whyBlocked(one, bounds, fits) }
}

function whyBlocked({ cred_kind, usable, blocked_reason, bytes, photo_fault }: CredentialFact, bounds: Bounds, fits: boolean): string | null {
  if (!fits) return 'capacity'
  if (!usable) return blocked_reason ?? 'unsupported_credential'
  if (photo_fault !== null) return photo_fault
  if (cred_kind === 'face' && bytes !== null && bytes > bounds.photo_max_bytes) return 'photo_too_big'
  return null
}
