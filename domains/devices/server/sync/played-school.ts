import { changesOf, prioOfDelete } from './changes.ts'
import type { Content } from './bodies.ts'
import { deriveRows, personBody } from './derive.ts'
import type { CredentialFact, Facts } from './derive.ts'
import type { MemoryBook } from './memory-book.ts'
import { permissionOf } from './permission.ts'
import type { PermissionBody } from '@kit/terminal-protocol'

const [people, edited_together, face_bytes] = [60, 15, 200]
const school_rules = Array.from({ length: 40 }, (_, n) => permissionOf({ from: '2026-09-01T00:00:00+08:00', to: '2027-01-31T00:00:00+08:00', weekly: { 1: [`08:${10 + n}-18:00`] } }, false))
const bounds: Facts['bounds'] = { credential_kinds: ['card', 'face'], max_persons: 1000, max_faces: 1000, photo_max_bytes: 512 * 1024, password_lengths: [6] }

type Pupil = { user_id: string; name: string; card: { id: string; code: string } | null; face: string | null; rule: PermissionBody | null }
/** Some pupils for tests without a database, edited at random. */
export class PlayedSchool {
  readonly pupils: Pupil[] = Array.from({ length: people }, (_, n) => ({ user_id: String(5000 + n), name: `学生${n}`, card: null, face: null, rule: school_rules[n % school_rules.length] ?? null }))
  #made = 0

  edit(roll: (sides: number) => number): void {
    for (let n = 0; n < edited_together; n += 1) {
      const pupil = this.pupils[roll(people)]
      this.#made += 1
      const change: Partial<Pupil>[] = [{ name: `改名${this.#made}` }, { card: { id: String(this.#made), code: `CARD${this.#made}` } }, { card: null }, { face: String(this.#made).padStart(64, '0') }, { rule: null }, { rule: school_rules[roll(school_rules.length)] ?? null }]
      if (pupil) Object.assign(pupil, change[roll(change.length)])
    }
  }

  get facts(): Facts {
    const credentials = this.pupils.flatMap(({ user_id, card, face }): CredentialFact[] => {
      const one = { user_id, bytes: face_bytes, usable: true, blocked_reason: null, photo_fault: null, valid_until: null }
      return [...(card ? [{ ...one, credential_id: card.id, cred_kind: 'card' as const, digest: card.code, sha256: null }] : []), ...(face === null ? [] : [{ ...one, credential_id: `9${user_id}`, cred_kind: 'face' as const, digest: '', sha256: face }])]
    })
    const subjects = this.pupils.map(({ user_id, name }) => ({ user_id, person_kind: 1, user_no: user_id, user_name: name, dept_name: null }))
    return { subjects, credentials, bounds, grants: this.pupils.flatMap(({ user_id, rule }) => (rule ? [{ user_id, permissions: [rule] }] : [])) }
  }

  /** What rows hold, by their key. */
  contents(): Map<string, Content> {
    const { subjects, credentials, grants } = this.facts
    return new Map<string, Content>([
      ...school_rules.map(body => [body.id, { body }] as const),
      ...subjects.map(one => [one.user_id, { body: personBody(one, grants.filter(({ user_id }) => user_id === one.user_id).flatMap(({ permissions }) => permissions.map(({ id }) => id))) }] as const),
      ...credentials.map(({ cred_kind, credential_id, user_id, digest, sha256 }) => (sha256 === null ? [`c${credential_id}`, { body: { id: `c${credential_id}`, user_id, kind: cred_kind, code: digest } }] as const : [`f${user_id}`, { body: { id: `f${user_id}`, user_id, kind: 'face', sha256 }, photo: { made_key: sha256, sha256, bytes: face_bytes } }] as const)),
    ])
  }
}

/** Writes what the school wants now. */
export function follow(book: MemoryBook, school: PlayedSchool): void {
  const wanted = deriveRows(school.facts)
  const stay = new Set(wanted.filter(row => row.kind === 'person').map(row => row.user_id))
  const known = [...book.rows.values()].map(row => ({ ...row, blocked_after: null }))
  const { deletes, displaced, puts } = changesOf({ wanted, known }, null, row => prioOfDelete(row, stay, () => false))
  book.write([...deletes, ...displaced, ...puts])
  book.contents = school.contents()
}
