import type { DownRow } from '@kit/terminal-protocol'
import { ackErasure } from '@campus/people/server'
import type { App } from '@kit/server/http'
import type { Line } from '../link/line.ts'
import { confirmChanges } from '../change/confirm.ts'
import { terminalStore } from '../person.follow.ts'
import { readBlobs } from '../board/body.ts'
import { readBodies } from './bodies.ts'
import type { Photo } from './bodies.ts'
import { readTarget } from './facts.queries.ts'
import { dueRows, goneUsers, putOffRows } from './rows.queries.ts'
import type { OutRow } from './rows.queries.ts'

/** A row that is due, as it is kept and as it goes out. */
export type Ready = { out: OutRow; down: DownRow; photo?: Photo }

/** What is due at a device and can be sent: deletions, and puts whose content is still what it was when they were derived; faces only when nothing else is. */
export async function readyRows(app: App, line: Line): Promise<Ready[]> {
  const { db, school_id, device_id, now } = line
  const target = await readTarget(db, school_id, device_id, now)
  if (!target) return []
  const of = { school_id, device_id }
  const due = await dueRows(db, of, now, target.rows_per_command)
  if (due.length === 0) return []
  const bodies = await readBodies({ app, db, target, now }, due.filter(row => row.want_op === 'put'))
  const ready = due.filter(row => row.want_op === 'delete' || bodies.has(`${row.kind} ${row.row_key}`))
  await putOffRows(db, of, due.filter(row => !ready.includes(row)), now)
  const files = ready.filter(row => row.kind === 'content' && row.want_op === 'put').map(row => row.row_key)
  const blobs = files.length > 0 ? await readBlobs(line, files) : new Map<string, DownRow['blob']>()
  const rows = ready.map((row): Ready => {
    const { body, photo } = (row.want_op === 'put' ? bodies.get(`${row.kind} ${row.row_key}`) : undefined) ?? {}
    return { out: row, down: { k: row.kind, key: row.row_key, op: row.want_op, ver: Number(row.want_version), hash: row.want_hash, ...(body ? { body } : {}), ...(blobs.has(row.row_key) ? { blob: blobs.get(row.row_key) } : {}) }, ...(photo ? { photo } : {}) }
  })
  const quick = rows.filter(row => !row.photo)
  return quick.length > 0 ? quick : rows
}

/** Tells those who wait for an erasure that a device holds nothing more of a person, and receipts of changes what it has confirmed. */
export async function tellGone({ app, db, school_id, device_id, now }: Line, rows: Parameters<typeof goneUsers>[2]): Promise<void> {
  const users = await goneUsers(db, { school_id, device_id }, rows)
  for (const user_id of users) await ackErasure({ app, db, school_id, now }, { user_id, store: terminalStore(device_id) }, `设备回执 ${now.toISOString()}`)
  await confirmChanges({ app, db, school_id, now }, [device_id], rows.flatMap(row => (row.kind === 'person' || row.kind === 'credential' ? row.row_key : [])))
}
