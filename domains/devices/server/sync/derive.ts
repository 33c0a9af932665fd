import { rowHash } from '@kit/terminal-protocol'
import type { CredentialBody, PermissionBody, PersonBody, RowKind } from '@kit/terminal-protocol'
import type { z } from 'zod'
import { isOver, permissionOf } from './permission.ts'
import type { GrantWindow } from './permission.ts'

/** A living person as devices know him. */
export type SubjectFact = { user_id: string; person_kind: number; user_no: string; user_name: string; dept_name: string | null }
/** By what a person is known; `digest` stands for the sealed code. */
export type CredentialFact = { credential_id: string; user_id: string; cred_kind: z.output<typeof CredentialBody>['kind']; digest: string; sha256: string | null; bytes: number | null; usable: boolean; blocked_reason: string | null }
/** That a person may pass the place of the device. */
export type GrantFact = { user_id: string; windows: readonly GrantWindow[]; enforcement: 'local' | 'online' }
/** What the device can hold. */
export type Bounds = { credential_kinds: readonly string[]; max_persons: number; photo_max_bytes: number; password_lengths: readonly number[] }

/** A row a device must hold; a blocked one says why it is not sent. */
export type WantedRow = { kind: RowKind; row_key: string; user_id: string | null; hash: string; prio: number; blocked: string | null }
export type Facts = { subjects: readonly SubjectFact[]; credentials: readonly CredentialFact[]; grants: readonly GrantFact[]; bounds: Bounds; now: Date }

/** Order on the wire: permissions before people before what they are known by, faces last (chapter 30 rule 4). */
const put_prio = { permission: 4, person: 5, code: 6, face: 7 } as const

/**
 * Everything a device must hold, of what is granted at its place: pure and in no order, the same facts give the same rows (chapter 30 rule 2).
 */
export function deriveRows({ subjects, credentials, grants, bounds, now }: Facts): WantedRow[] {
  const permissions = new Map<string, PermissionBody>()
  const rights = new Map<string, Set<string>>()
  for (const { user_id, windows, enforcement } of grants) {
    for (const window of windows) {
      const permission = permissionOf(window, enforcement === 'online')
      if (isOver(permission, now)) continue
      permissions.set(permission.id, permission)
      const held = rights.get(user_id) ?? new Set()
      rights.set(user_id, held.add(permission.id))
    }
  }
  const people = subjects.filter(subject => rights.has(subject.user_id)).toSorted((a, b) => (BigInt(a.user_id) < BigInt(b.user_id) ? -1 : 1))
  const known = new Set(people.map(person => person.user_id))
  const fits = new Set(people.slice(0, bounds.max_persons).map(person => person.user_id))
  return [
    ...[...permissions.values()].map((body): WantedRow => ({ kind: 'permission', row_key: body.id, user_id: null, hash: rowHash(body), prio: put_prio.permission, blocked: null })),
    ...people.map((person): WantedRow => ({ kind: 'person', row_key: person.user_id, user_id: person.user_id, hash: rowHash(personBody(person, rights.get(person.user_id) ?? [])), prio: put_prio.person, blocked: fits.has(person.user_id) ? null : 'capacity' })),
    ...credentials.filter(one => known.has(one.user_id) && bounds.credential_kinds.includes(one.cred_kind)).map(one => credentialRow(one, bounds, fits.has(one.user_id))),
  ]
}

/** A person as a device holds him. */
export function personBody({ user_id, person_kind, user_no, user_name, dept_name }: SubjectFact, permission_ids: Iterable<string>): PersonBody {
  return { user_id, name: user_name, no: user_no, ...(dept_name === null ? {} : { dept: dept_name }), kind: person_kind, permission_ids: [...permission_ids].toSorted() }
}

/** The key of a credential on every device: stable as long as it lives (chapter 31 §5.7.4). */
function credentialKey({ credential_id, user_id, cred_kind }: Pick<CredentialFact, 'credential_id' | 'user_id' | 'cred_kind'>): string {
  return cred_kind === 'face' ? `f${user_id}` : `c${credential_id}`
}

/** Hash of a credential: its code never leaves its seal for it. */
export function credentialHash(one: Pick<CredentialFact, 'credential_id' | 'user_id' | 'cred_kind' | 'digest' | 'sha256'>): string {
  return rowHash({ key: credentialKey(one), user_id: one.user_id, kind: one.cred_kind, content: one.sha256 ?? one.digest })
}

function credentialRow(one: CredentialFact, bounds: Bounds, fits: boolean): WantedRow {
  const is_face = one.cred_kind === 'face'
  return { kind: 'credential', row_key: credentialKey(one), user_id: one.user_id, hash: credentialHash(one), prio: is_face ? put_prio.face : put_prio.code, blocked: whyBlocked(one, bounds, fits) }
}

function whyBlocked({ cred_kind, usable, blocked_reason, bytes }: CredentialFact, bounds: Bounds, fits: boolean): string | null {
  if (!fits) return 'capacity'
  if (!usable) return blocked_reason ?? 'unsupported_credential'
  if (cred_kind === 'face' && bytes !== null && bytes > bounds.photo_max_bytes) return 'photo_too_big'
  return null
}
