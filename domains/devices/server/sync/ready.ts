import type { DownRow } from '@kit/terminal-protocol'
import { ackErasure } from '@campus/people/server'
import type { App } from '@kit/server/http'
import type { Line } from '../link/line.ts'
import { confirmChanges } from '../change/confirm.ts'
import { terminalStore } from '../person.follow.ts'
import { readBlobs } from '../board/body.ts'
import type { Db } from '../db.ts'
import { readBodies } from './bodies.ts'
import type { Content, Photo } from './bodies.ts'
import { readTargets } from './facts.queries.ts'
import { at, dueRows, goneUsers, putOffRows } from './rows.queries.ts'
import type { OutRow } from './out-row.ts'
import type { AtRow, Deleted } from './rows.queries.ts'

/** A row that is due, as it is kept and as it goes out. */
export type Ready = { out: OutRow; down: DownRow; photo?: Photo }
type Desk = { app: App; db: Db; school_id: number; now: Date }

/** What is due at devices and can be sent: deletions, and puts whose content is still what it was when they were derived; faces only when nothing else is. What several devices are to be told is read once. */
export async function readyRowsAt(desk: Desk, device_ids: readonly string[]): Promise<ReadonlyMap<string, Ready[]>> {
  const { db, school_id, now } = desk
  const targets = await readTargets(db, school_id, device_ids, now)
  const due = await dueRows(db, school_id, targets.map(({ device_id, rows_per_command }) => ({ device_id, most: rows_per_command })), now)
  if (due.size === 0) return new Map()
  const contentOf = await readBodies(desk, targets.map(target => ({ target, puts: (due.get(target.device_id) ?? []).filter(row => row.want_op === 'put') })))
  const ready = new Map<string, Ready[]>()
  const late: AtRow<OutRow>[] = []
  for (const [device_id, rows] of due) {
    const told = rows.map(row => ({ row, content: row.want_op === 'put' ? contentOf(device_id, row) : undefined }))
    const can = told.filter(({ row, content }) => row.want_op === 'delete' || content)
    late.push(...at(device_id, told.filter(one => !can.includes(one)).map(one => one.row)))
    ready.set(device_id, await goingOut(desk, device_id, can))
  }
  await putOffRows(db, school_id, late, now)
  return ready
}

/** What is due at one device. */
export async function readyRows(app: App, { db, school_id, device_id, now }: Line): Promise<Ready[]> {
  return (await readyRowsAt({ app, db, school_id, now }, [device_id])).get(device_id) ?? []
}

async function goingOut(desk: Desk, device_id: string, told: readonly { row: OutRow; content: Content | undefined }[]): Promise<Ready[]> {
  const files = told.flatMap(({ row }) => (row.kind === 'content' && row.want_op === 'put' ? row.row_key : []))
  const blobs = files.length > 0 ? await readBlobs({ ...desk, device_id }, files) : new Map<string, DownRow['blob']>()
  const rows = told.map(({ row, content: { body, photo } = {} }): Ready => {
    const blob = blobs.get(row.row_key)
    return { out: row, down: { k: row.kind, key: row.row_key, op: row.want_op, ver: Number(row.want_version), hash: row.want_hash, ...(body ? { body } : {}), ...(blob ? { blob } : {}) }, ...(photo ? { photo } : {}) }
  })
  const quick = rows.filter(row => !row.photo)
  return quick.length > 0 ? quick : rows
}

/** Tells those who wait for an erasure that devices hold nothing more of a person, and receipts of changes what they have confirmed. */
export async function tellGoneAt({ app, db, school_id, now }: Desk, rows: readonly Deleted[]): Promise<void> {
  for (const { device_id, user_id } of await goneUsers(db, school_id, rows)) await ackErasure({ app, db, school_id, now }, { user_id, store: terminalStore(device_id) }, `设备回执 ${now.toISOString()}`)
  const of_people = rows.filter(row => row.kind === 'person' || row.kind === 'credential')
  await confirmChanges({ app, db, school_id, now }, [...new Set(of_people.map(row => row.device_id))], [...new Set(of_people.map(row => row.row_key))])
}

/** The same of one device. */
export async function tellGone(line: Line, rows: readonly Omit<Deleted, 'device_id'>[]): Promise<void> {
  await tellGoneAt(line, rows.map(row => ({ ...row, device_id: line.device_id })))
}
