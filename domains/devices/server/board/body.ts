import { sql } from 'kysely'
import { z } from 'zod'
import type { Line } from '../link/line.ts'
import type { Db } from '../db.ts'
import { isFile } from './manifest.ts'
import { makeTicket } from './ticket.ts'

type Of = { school_id: number; device_id: string }
const Body = z.record(z.string(), z.unknown())
/** The picture or clip that goes with a row, as a device fetches it. */
export type Blob = { url: string; sha256: string; bytes: number; exp: string }

/** What a device is told of these rows, with the hash of each. */
export async function readContentBodies(db: Db, of: Of, row_keys: readonly string[]): Promise<Map<string, { hash: string; body: z.output<typeof Body> }>> {
  const rows = await rowsOf(db, of, row_keys)
  return new Map(rows.map(row => [row.row_key, { hash: row.hash, body: Body.parse(row.body) }]))
}

/** Tickets for the files among these rows. */
export async function readBlobs({ db, school_id, device_id, now }: Line, row_keys: readonly string[]): Promise<Map<string, Blob>> {
  const of = { school_id, device_id }
  const blobs = new Map<string, Blob>()
  for (const { row_key, file_key, bytes_total } of await rowsOf(db, of, row_keys.filter(isFile))) {
    const { path, expires_at } = await makeTicket(db, of, { kind: 'download', row_key, file_key, now })
    blobs.set(row_key, { url: path, sha256: row_key.slice(row_key.indexOf(':') + 1), bytes: Number(bytes_total), exp: expires_at.toISOString() })
  }
  return blobs
}

function rowsOf(db: Db, { school_id, device_id }: Of, row_keys: readonly string[]) {
  return db.selectFrom('board_content_row').select(['row_key', 'hash', 'body', 'file_key', 'bytes_total']).where('school_id', '=', school_id).where('device_id', '=', device_id).where(sql<boolean>`row_key = any(${[...row_keys]}::text[])`).execute()
}
