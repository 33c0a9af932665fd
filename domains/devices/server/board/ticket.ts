import { createHash, randomBytes } from 'node:crypto'
import { deviceFileApi, most_downloads } from '@campus/devices/contract'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { Db } from '../db.ts'

type Of = { school_id: number; device_id: string }
type Kind = 'download' | 'screenshot'

/** How long a ticket works (chapter 31 §3). */
const ticket_ms = 5 * 60_000
const token_bytes = 32
const greatest_school = 2_147_483_647

/** Makes a ticket with which a device fetches one file or brings one picture; an earlier one of the same goes. @returns its path on this server */
export async function makeTicket(db: Db, { school_id, device_id }: Of, { kind, row_key, file_key = null, asked_by = null, now }: { kind: Kind; row_key: string; file_key?: string | null; asked_by?: string | null; now: Date }): Promise<{ path: string; expires_at: Date }> {
  const token = randomBytes(token_bytes).toString('base64url')
  const expires_at = new Date(now.getTime() + ticket_ms)
  const row = { token_digest: digestOf(token), file_key, asked_by, expires_at, started_at: null, ended_at: null }
  await db.insertInto('device_ticket').values({ school_id, device_id, kind, row_key, ...row }).onConflict(conflict => conflict.columns(['school_id', 'device_id', 'kind', 'row_key']).doUpdateSet(row)).execute()
  const [path = ''] = (kind === 'download' ? deviceFileApi.blob : deviceFileApi.screenshot).paths
  return { path: path.replace(':ticket', `${school_id}.${token}`), expires_at }
}

/** A ticket taken apart: the school it is of, and what finds it there. @throws Refusal 404 for what is none */
export function readTicket(ticket: string): { school_id: number; token_digest: string } {
  const [, school = '', token = ''] = /^(\d{1,10})\.([\w-]{43})$/u.exec(ticket) ?? []
  if (token === '' || Number(school) > greatest_school) throw fail(commonErrors.notFound)
  return { school_id: Number(school), token_digest: digestOf(token) }
}

/** A ticket that is not used up yet. */
export function findTicket(db: Db, school_id: number, kind: Kind, token_digest: string, now: Date) {
  return db.selectFrom('device_ticket').select(['device_id', 'row_key', 'file_key', 'asked_by']).where('school_id', '=', school_id).where('kind', '=', kind).where('token_digest', '=', token_digest).where('ended_at', 'is', null).where('expires_at', '>', now).executeTakeFirst()
}

/** Begins a download, unless as many boards of the school as may are at theirs: then the next one waits, so that a plan for everybody does not flood the school's network. */
export async function startDownload(db: Db, school_id: number, { device_id, token_digest, now }: { device_id: string; token_digest: string; now: Date }): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`downloads ${school_id}`}, 30))`.execute(db)
  const { rows } = await sql<{ others: number }>`
    select count(distinct device_id)::int as others from device_ticket
    where school_id = ${school_id} and kind = 'download' and started_at > ${new Date(now.getTime() - ticket_ms)} and ended_at is null and device_id <> ${device_id}`.execute(db)
  if ((rows[0]?.others ?? 0) >= most_downloads) return false
  await db.updateTable('device_ticket').set({ started_at: now }).where('school_id', '=', school_id).where('token_digest', '=', token_digest).execute()
  return true
}

/** A download is over; one that broke off may be begun once more. */
export async function endDownload(db: Db, school_id: number, token_digest: string, { is_whole, now }: { is_whole: boolean; now: Date }): Promise<void> {
  await db.updateTable('device_ticket').set(is_whole ? { ended_at: now } : { started_at: null }).where('school_id', '=', school_id).where('token_digest', '=', token_digest).execute()
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
