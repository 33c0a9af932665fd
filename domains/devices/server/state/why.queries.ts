import { StateRow } from '@campus/devices/contract'
import { nameKey, numberKey } from '@kit/contract/checks'
import { closedParts, DoorRuleBody } from '@kit/terminal-protocol'
import { nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { credentialKey } from '../sync/derive.ts'
import { credential_kinds } from '../sync/facts.queries.ts'
import { GrantWindows } from '../sync/permission.ts'
import type { Door, Held, Known, Right } from './why.sentence.ts'

type Of = { school_id: number; device_id: string }
const Person = z.object({ user_id: z.string(), user_name: z.string(), user_no: z.string(), dept_name: z.string().nullable(), live: z.boolean() })
export type Person = z.output<typeof Person>
/** A door and the places above its own. */
export type PlacedDoor = { door: Door; node_path: string | null }
/** What is known of some people at one door, by person; the permissions of the door stand under ''. */
export type Knowledge = { rights: ReadonlyMap<string, Right[]>; known: ReadonlyMap<string, Known[]>; rows: ReadonlyMap<string, Held[]> }

const connecting = ['jdev', 'vf105']

/** A device as somebody stands before it now. */
export async function readDoor(db: Db, { school_id, device_id }: Of, now: Date): Promise<PlacedDoor> {
  const { node_path, driver, body, ...door } = await db
    .selectFrom('device as d')
    .innerJoin('device_model as m', 'm.model_code', 'd.model_code')
    .leftJoin('device_place as dp', join => join.onRef('dp.school_id', '=', 'd.school_id').onRef('dp.device_id', '=', 'd.device_id').on('dp.valid_from', '<=', now).on(eb => eb.or([eb('dp.valid_to', 'is', null), eb('dp.valid_to', '>', now)])))
    .leftJoin('place_live_v as p', join => join.onRef('p.school_id', '=', 'dp.school_id').onRef('p.place_id', '=', 'dp.place_id'))
    .leftJoin('device_rule_plan as rp', join => join.onRef('rp.school_id', '=', 'd.school_id').onRef('rp.device_id', '=', 'd.device_id').on('rp.rule_kind', '=', 1))
    .select(['rp.body', 'd.device_name', 'd.lifecycle', 'd.online', 'd.is_push', 'd.last_seen_at', 'd.fault_code', 'd.clock_skew_ms', 'm.driver', 'p.place_name', 'p.node_path', 'dp.direction'])
    .where('d.school_id', '=', school_id)
    .where('d.device_id', '=', device_id)
    .executeTakeFirstOrThrow()
  const rule = DoorRuleBody.safeParse(body).data ?? null
  return { door: { ...door, rule, closed: rule !== null && driver === 'vf105' ? closedParts(rule) : [], holds_people: connecting.includes(driver), is_settable: driver === 'jdev' }, node_path }
}

/**
 * People a keyword names: those of whom the device has a row by a part of name or number, everybody else by the whole of it, so that nobody leafs through the
 * school at a door.
 */
export async function findPeople(db: Db, { school_id, device_id }: Of, keyword: string, limit: number): Promise<Person[]> {
  const [name, number] = [nameKey(keyword), numberKey(keyword)]
  const { rows } = await sql`
    with found as (
      select s.user_id, s.user_name, s.user_no, s.dept_name, s.live from subject s
      where s.school_id = ${school_id} and (s.name_key = ${name} or lower(s.user_no) = ${number} or ((strpos(s.name_key, ${name}) > 0 or strpos(lower(s.user_no), ${number}) > 0)
        and exists (select from sync_row r where r.school_id = ${school_id} and r.device_id = ${device_id} and r.user_id = s.user_id)))
      union all
      select distinct on (p.user_id) p.user_id, p.user_name, p.user_no, d.dept_name, true from live_person p left join dept_now d on d.school_id = p.school_id and d.id = p.label_dept_id
      where p.school_id = ${school_id} and (${nameKeyOf('p.user_name')} = ${name} or lower(p.user_no) = ${number}) and not exists (select from subject s where s.school_id = ${school_id} and s.user_id = p.user_id))
    select user_id::text, user_name, user_no, dept_name, live from found order by (lower(user_no) = ${number} or ${nameKeyOf('user_name')} = ${name}) desc, user_no, user_id limit ${limit}`.execute(db)
  return z.array(Person).parse(rows)
}

/** Their rights at the place of a door, their cards and codes, and the rows about them on this very device. */
export async function readKnowledge(db: Db, of: Of, node_path: string | null, user_ids: readonly string[]): Promise<Knowledge> {
  const ids = [...user_ids]
  return { rights: await readRights(db, of, node_path, ids), known: await readKnown(db, of.school_id, ids), rows: await readHeld(db, of, ids) }
}

const RightRow = z.object({ user_id: z.string(), direction: z.number(), windows: GrantWindows, enforcement: z.enum(['local', 'online']), expires_at: z.coerce.date() })

async function readRights(db: Db, { school_id, device_id }: Of, node_path: string | null, user_ids: string[]): Promise<Map<string, Right[]>> {
  const above = (node_path ?? '').split('/').filter(Boolean)
  const { rows } = await sql`
    select user_id::text, direction::int, windows, enforcement, expires_at from subject_grant
    where school_id = ${school_id} and user_id = any(${user_ids}::bigint[]) and place_id = any(${above}::bigint[]) and (device_id is null or device_id = ${device_id}) order by grant_id`.execute(db)
  return Map.groupBy(z.array(RightRow).parse(rows), row => row.user_id)
}

async function readKnown(db: Db, school_id: number, user_ids: string[]): Promise<Map<string, (Known & { user_id: string })[]>> {
  const rows = await db.selectFrom('subject_credential').select(['credential_id', 'user_id', 'cred_kind', 'usable', 'blocked_reason']).where('school_id', '=', school_id).where(sql<boolean>`user_id = any(${user_ids}::bigint[])`).where('cred_kind', 'in', [...credential_kinds]).orderBy('credential_id').execute()
  return Map.groupBy(rows.map(({ credential_id, cred_kind, ...row }) => ({ row_key: credentialKey({ credential_id, cred_kind, user_id: row.user_id }), ...row })), row => row.user_id)
}

const HeldRow = StateRow.pick({ kind: true, row_key: true, want_op: true, state: true, attempts: true }).extend({ user_id: z.string().nullable(), reason_code: z.string().nullable(), reason_text: z.string().nullable(), next_at: z.date(), acked_at: z.date().nullable(), proven_at: z.date().nullable(), held: z.boolean() })

async function readHeld(db: Db, { school_id, device_id }: Of, user_ids: string[]): Promise<Map<string, Held[]>> {
  const rows = await db
    .selectFrom('sync_row')
    .select(['user_id', 'kind', 'row_key', 'want_op', 'state', 'attempts', 'reason_code', 'reason_text', 'next_at', 'acked_at', 'proven_at', sql<boolean>`have_hash is not null`.as('held')])
    .where('school_id', '=', school_id)
    .where('device_id', '=', device_id)
    .where(sql<boolean>`(user_id = any(${user_ids}::bigint[]) or kind = 'permission')`)
    .execute()
  return Map.groupBy(z.array(HeldRow).parse(rows), row => row.user_id ?? '')
}
