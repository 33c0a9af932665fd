import { PasswordLine } from '@campus/devices/contract'
import { inPlaces } from '@campus/places/server'
import type { PlaceScope } from '@campus/places/server'
import { serialKey } from '@kit/contract/checks'
import { rowHash } from '@kit/terminal-protocol'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { openPassword, sealPassword } from '../sealed-parts.ts'
import { writeRows } from '../sync/row.write.ts'

type Of = { school_id: number; device_id: string }
export type PasswordFilter = { school_id: number; scope: PlaceScope; below?: string; keyword?: string | undefined; device_type?: string | undefined; stale?: boolean | undefined }

/** The key of the row under which a device is told its password. */
export const password_key = 'password'
/** Hardware that has a console of its own and takes a password from here. */
const with_console = ['jdev', 'vf105']
/** Security goes before rights that are given (chapter 30 rule 4). */
const config_prio = 3
/** Passwords that are kept of each device (chapter 30 §1.2). */
const kept = 3

/** The hash of a row says which version it is and nothing of the password: eight digits are guessed from their hash in a moment. */
function passwordHash(version: number): string {
  return rowHash({ password_version: version })
}

/** The newest passwords of a device, sealed, the newest first. */
export function readPasswords(db: Db, { school_id, device_id }: Of) {
  return db.selectFrom('device_password').select(['version', 'password_sealed']).where('school_id', '=', school_id).where('device_id', '=', device_id).orderBy('version', 'desc').limit(kept).execute()
}

/** What a device is told: a value of its configuration. Undefined when it has none. */
export async function passwordBody(db: Db, data_key: Buffer, of: Of): Promise<{ hash: string; body: { group: string; values: Record<string, string> } } | undefined> {
  const [newest] = await readPasswords(db, of)
  return newest && { hash: passwordHash(newest.version), body: { group: 'base', values: { password: openPassword(data_key, of.school_id, newest.password_sealed) } } }
}

/** Writes the next version of a device's password; the oldest of four is forgotten. @returns the version */
async function writePassword(db: Db, { school_id, device_id }: Of, { sealed, set_by, now }: { sealed: Buffer; set_by: string | null; now: Date }): Promise<number> {
  const [newest] = await readPasswords(db, { school_id, device_id })
  const version = (newest?.version ?? 0) + 1
  await db.insertInto('device_password').values({ school_id, device_id, version, password_sealed: sealed, set_by, set_at: now }).execute()
  await db.deleteFrom('device_password').where('school_id', '=', school_id).where('device_id', '=', device_id).where('version', '<=', version - kept).execute()
  return version
}

/** Of these devices, those that take a password from here, with whether they are there. */
export async function consolesOf(db: Db, school_id: number, device_ids: readonly string[]): Promise<Map<string, boolean>> {
  const rows = await db.selectFrom('device as d').innerJoin('device_model as m', 'm.model_code', 'd.model_code').select(['d.device_id', 'd.online']).where('d.school_id', '=', school_id).where('d.device_id', 'in', [...device_ids]).where('d.lifecycle', '<>', 'retired').where('m.driver', 'in', with_console).execute()
  return new Map(rows.map(row => [row.device_id, row.online]))
}

/** Gives a device another password: its next version, sealed, and the row by which it is told, before anything else of its settings. Whoever calls holds its plan. */
export async function putPassword(db: Db, data_key: Buffer, of: Of, { password, set_by, now }: { password: string; set_by: string | null; now: Date }): Promise<void> {
  const version = await writePassword(db, of, { sealed: sealPassword(data_key, of.school_id, password), set_by, now })
  await writeRows(db, of, [{ kind: 'config', row_key: password_key, user_id: null, want_op: 'put', want_hash: passwordHash(version), prio: config_prio, state: 'pending', reason_code: null }], now)
}

/** The devices that have a console, and how far the newest password of each has got. */
export async function readLines(db: Db, filter: PasswordFilter, most: { limit: number; offset: number }): Promise<{ list: PasswordLine[]; total: number }> {
  const { school_id, scope, below, keyword, device_type, stale } = filter
  const state = sql<string>`case when w.version is null then 'none' when r.state in ('applied', 'proven') and r.want_hash = r.have_hash then 'applied' when r.state = 'refused' then 'refused' else 'waiting' end`
  const chosen = db
    .selectFrom('device as d')
    .innerJoin('device_model as m', 'm.model_code', 'd.model_code')
    .leftJoin('device_place as dp', join => join.onRef('dp.school_id', '=', 'd.school_id').onRef('dp.device_id', '=', 'd.device_id').on('dp.valid_to', 'is', null))
    .leftJoin('place_live_v as p', join => join.onRef('p.school_id', '=', 'dp.school_id').onRef('p.place_id', '=', 'dp.place_id'))
    .leftJoin('device_password as w', join => join.onRef('w.school_id', '=', 'd.school_id').onRef('w.device_id', '=', 'd.device_id').on(sql<boolean>`w.version = (select max(n.version) from device_password n where n.school_id = ${school_id} and n.device_id = d.device_id)`))
    .leftJoin('sync_row as r', join => join.onRef('r.school_id', '=', 'd.school_id').onRef('r.device_id', '=', 'd.device_id').on('r.kind', '=', 'config').on('r.row_key', '=', password_key))
    .where('d.school_id', '=', school_id)
    .where('d.lifecycle', '<>', 'retired')
    .where('m.driver', 'in', with_console)
    .where(inPlaces('p.node_path', scope))
    .$if(below !== undefined, query => query.where(inPlaces('p.node_path', [below ?? ''])))
    .$if(device_type !== undefined, query => query.where('d.device_type', '=', device_type ?? ''))
    .$if(keyword !== undefined, query => query.where(sql<boolean>`(${nameHas(nameKeyOf('d.device_name'), keyword ?? '')} or strpos(upper(d.device_sn), ${serialKey(keyword ?? '')}) > 0)`))
    .$if(stale !== undefined, query => query.where(stale === true ? sql<boolean>`${state} <> 'applied'` : sql<boolean>`${state} = 'applied'`))
  const { total } = await chosen.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  const rows = await chosen
    .leftJoin('live_person as u', join => join.onRef('u.school_id', '=', 'd.school_id').onRef('u.user_id', '=', 'w.set_by').on('u.person_kind', '<>', 1))
    .select(['d.device_id', 'd.device_name', 'd.device_type', 'd.model_code', 'p.node_path_name', 'd.online', 'w.version', 'w.set_at', 'u.user_name as set_by_name', 'r.acked_at', 'r.reason_text', state.as('state')])
    .orderBy('p.node_path', order => order.asc().nullsLast())
    .orderBy('d.device_name')
    .orderBy('d.device_id')
    .limit(most.limit)
    .offset(most.offset)
    .execute()
  const list = rows.map(row => PasswordLine.parse({ ...row, version: row.version ?? 0, prior_valid: (row.version ?? 0) > 1 && row.state !== 'applied', set_at: row.set_at?.toISOString() ?? null, acked_at: row.state === 'applied' ? (row.acked_at?.toISOString() ?? null) : null, reason_text: row.state === 'refused' ? row.reason_text : null }))
  return { list, total }
}

const Shown = z.object({ state: z.string(), want_hash: z.string(), have_hash: z.string().nullable(), reason_text: z.string().nullable() })

/** How far the newest password of a device has got. */
export async function passwordState(db: Db, { school_id, device_id }: Of): Promise<{ state: 'applied' | 'refused' | 'waiting'; reason_text: string | null }> {
  const row = await db.selectFrom('sync_row').select(['state', 'want_hash', 'have_hash', 'reason_text']).where('school_id', '=', school_id).where('device_id', '=', device_id).where('kind', '=', 'config').where('row_key', '=', password_key).executeTakeFirst()
  const { state, want_hash, have_hash, reason_text } = Shown.parse(row ?? { state: 'none', want_hash: '', have_hash: null, reason_text: null })
  if ((state === 'applied' || state === 'proven') && want_hash === have_hash) return { state: 'applied', reason_text }
  return { state: state === 'refused' ? 'refused' : 'waiting', reason_text }
}
