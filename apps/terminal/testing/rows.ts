import { permissionId, rowHash } from '@kit/terminal-protocol'
import type { SyncRow } from '@kit/terminal-protocol'

const term = { door: 1, from: '2026-09-01T00:00:00+08:00', to: '2027-01-31T00:00:00+08:00', weekly: { 1: ['07:00-08:30'], 2: ['07:00-08:30'], 3: ['07:00-08:30'], 4: ['07:00-08:30'], 5: ['07:00-08:30'] } }
export const permission_id = permissionId(term)

function put(k: SyncRow['k'], key: string, body: Record<string, unknown>, ver = 1): SyncRow {
  return { k, key, op: 'put', ver, hash: rowHash(body), body }
}

export function permission(ver = 1): SyncRow {
  return put('permission', permission_id, { id: permission_id, ...term }, ver)
}

export function person(user_id: string, more: Record<string, unknown> = {}, ver = 1): SyncRow {
  return put('person', user_id, { user_id, name: `学生${user_id}`, no: user_id, dept: '一班', kind: 1, permission_ids: [permission_id], ...more }, ver)
}

export function card(id: string, user_id: string, code: string, ver = 1): SyncRow {
  return put('credential', `c${id}`, { id: `c${id}`, user_id, kind: 'card', code }, ver)
}

export function credential(id: string, body: Record<string, unknown>, ver = 1): SyncRow {
  return put('credential', id, { id, ...body }, ver)
}

/** A picture of so many bytes; `says` is what it says of itself to the virtual terminal. */
export function face(user_id: string, bytes = 200, says = ''): SyncRow {
  const picture = Buffer.alloc(bytes, 1)
  picture.set([0xff, 0xd8, 0xff, 0xe0])
  picture.write(says, 4, 'latin1')
  picture.write(user_id, bytes - 20, 'latin1')
  return { ...put('credential', `f${user_id}`, { id: `f${user_id}`, user_id, kind: 'face', sha256: 'a'.repeat(64) }), photo: picture.toString('base64') }
}

export function gone(k: SyncRow['k'], key: string, ver = 2): SyncRow {
  return { k, key, op: 'delete', ver, hash: rowHash(null) }
}

/** So many people, one after the other. */
export function people(count: number): SyncRow[] {
  return Array.from({ length: count }, (_, n) => person(String(1000 + n)))
}
