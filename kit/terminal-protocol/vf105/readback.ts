import { z } from 'zod'
import type { Cursor, Limits, Page, Reply, Request } from '../driver.ts'
import type { RowKind } from '../jdev/row.ts'
import { codes, types } from './code.ts'

const [usual, face_page, face_page_with_pictures] = [100, 50, 2]
const key_types = [types.card, types.id_card, types.password, types.static_qr, types.finger, types.face]
const Content = z.object({ totalPage: z.number().int().min(0), content: z.array(z.looseObject({ userId: z.string().optional(), keyId: z.string().optional(), permissionId: z.string().optional(), extra: z.looseObject({ h: z.string().optional(), source: z.string().optional() }).catch({}) })) })
const local_source = 'local_user'

/** One page of what a device holds of a kind; credentials one type after the other (chapter 31 §5.7.8). */
export function readbackRequest(kind: RowKind, { step, page }: Cursor, limits: Limits): Request {
  const size = sizeOf(kind, step, limits)
  if (kind === 'person') return { action: 'getUser', data: { page, size }, rows: [], is_read: true }
  if (kind === 'permission') return { action: 'getPermission', data: { page, size }, rows: [], is_read: true }
  return { action: 'getKey', data: { page, size, type: key_types[step] }, rows: [], is_read: true }
}

/** What a page holds: hashes that travelled with the rows; what carries none is not ours. */
export function readbackPage(kind: RowKind, { step, page }: Cursor, reply: Reply): Page | undefined {
  const read = Content.safeParse(reply.data).data
  if (!read || reply.code !== codes.ok) return undefined
  const rows = read.content.map(({ userId, keyId, permissionId, extra }) => ({ key: (kind === 'credential' ? keyId : kind === 'person' ? userId : permissionId) ?? '', hash: extra.h ?? '', is_local: extra.source === local_source }))
  const next = nextOf(kind, { step, page }, read.totalPage)
  return { held: rows.filter(row => !row.is_local).map(({ key, hash }) => ({ key, hash })), local: rows.filter(row => row.is_local).map(row => row.key), ...(next ? { next } : {}) }
}

/** What to read when nobody knows what became of a command: each of its rows by its key. */
export function recheckRequests({ rows }: Request): Request[] {
  const asked = { page: 0, size: 1 }
  return rows.flatMap((row): Request[] => {
    if (row.k === 'person') return [{ action: 'getUser', data: { ...asked, userId: row.key }, rows: [row], is_read: true }]
    if (row.k === 'credential') return [{ action: 'getKey', data: { ...asked, keyId: row.key }, rows: [row], is_read: true }]
    if (row.k === 'permission') return [{ action: 'getPermission', data: { ...asked, permissionId: row.key }, rows: [row], is_read: true }]
    return row.k === 'config' ? [{ action: 'getConfig', data: [row.key.split('.')[0] ?? ''], rows: [row], is_read: true }] : []
  })
}

function sizeOf(kind: RowKind, step: number, { keeps_pictures }: Limits): number {
  if (kind !== 'credential' || key_types[step] !== types.face) return usual
  return keeps_pictures ? face_page_with_pictures : face_page
}

function nextOf(kind: RowKind, { step, page }: Cursor, pages: number): Cursor | undefined {
  if (page + 1 < pages) return { step, page: page + 1 }
  return kind === 'credential' && step + 1 < key_types.length ? { step: step + 1, page: 0 } : undefined
}
