import type { RuleBody } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { RuleKind } from './way.ts'

type Of = { school_id: number; device_id: string }
/** What a device is told from now on; without a body nothing any more. */
type Telling = { kind: RuleKind; hash: string; body: RuleBody | undefined; rule_ids: readonly string[] }

/** How long what a device was told is known, in days. */
const keep_days = 400
/** The keys of its rows by kind of rule, as SQL counts: from one. */
const keys = sql`(array['door', 'close', 'sleep'])`
const open = sql`t.ended_at is null and t.applied_at is null`

/** Notes what a device is told of its rules from now on, if it is something else than before. What it holds already it goes by at once. */
export async function noteTold(db: Db, { school_id, device_id }: Of, { kind, hash, body, rule_ids }: Telling, now: Date): Promise<void> {
  const before = await db.selectFrom('device_rule_told').select(['told_id', 'hash']).where('school_id', '=', school_id).where('device_id', '=', device_id).where('rule_kind', '=', kind).where('ended_at', 'is', null).executeTakeFirst()
  if (before ? before.hash === hash : body === undefined) return
  if (before) await db.updateTable('device_rule_told').set({ ended_at: now }).where('school_id', '=', school_id).where('told_id', '=', before.told_id).execute()
  await sql`
    insert into device_rule_told (school_id, device_id, rule_kind, hash, body, rule_ids, rule_names, told_at, applied_at)
    select ${school_id}::int, ${device_id}::bigint, ${kind}::int, ${hash}, ${body ? JSON.stringify(body) : null}::jsonb, ${[...rule_ids]}::bigint[],
      (select coalesce(array_agg(rule_name order by priority desc, rule_id), '{}') from device_rule where school_id = ${school_id} and rule_id = any(${[...rule_ids]}::bigint[])), ${now}::timestamptz,
      (select ${now}::timestamptz from sync_row where school_id = ${school_id} and device_id = ${device_id} and kind = 'rule' and row_key = ${keys}[${kind}::int] and have_hash = ${hash} and state not in ('sent', 'unknown'))
    returning 1`.execute(db)
  await sql`delete from device_rule_told where school_id = ${school_id} and device_id = ${device_id} and rule_kind = ${kind} and ended_at < ${now}::timestamptz - ${keep_days} * interval '1 day'`.execute(db)
}

/** Devices have said that they hold these rules, or none any more: they go by them from now on. */
export async function noteHeld(db: Db, school_id: number, device_ids: readonly string[], now: Date): Promise<void> {
  await sql`
    update device_rule_told t set applied_at = ${now} from sync_row r
    where t.school_id = ${school_id} and t.device_id = any(${[...device_ids]}::bigint[]) and ${open}
      and r.school_id = t.school_id and r.device_id = t.device_id and r.kind = 'rule' and r.row_key = ${keys}[t.rule_kind]
      and case when t.body is null then r.state = 'gone' else r.state in ('applied', 'proven') and r.have_hash = t.hash end`.execute(db)
}

/** A door that knows no rules goes by them when nothing of its permissions and people is on its way any more. */
export async function noteDoorHeld(db: Db, { school_id, device_id }: Of, now: Date): Promise<void> {
  await sql`
    update device_rule_told t set applied_at = ${now}
    where t.school_id = ${school_id} and t.device_id = ${device_id} and t.rule_kind = 1 and ${open}
      and not exists (select from sync_row r where r.school_id = ${school_id} and r.device_id = t.device_id and r.kind in ('permission', 'person') and r.state in ('pending', 'sent', 'unknown'))`.execute(db)
}

/** A device has lost everything: it goes by no rule from now on, and is told once more what it was told. */
export async function noteLost(db: Db, { school_id, device_id }: Of, now: Date): Promise<void> {
  await sql`
    insert into device_rule_told (school_id, device_id, rule_kind, hash, rule_ids, rule_names, told_at, applied_at, ended_at)
    select distinct school_id, device_id, rule_kind, '', '{}'::bigint[], '{}'::text[], ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from device_rule_told where school_id = ${school_id} and device_id = ${device_id} and applied_at is not null returning 1`.execute(db)
  const { rows } = await sql<{ told_id: string }>`
    update device_rule_told set ended_at = ${now} where school_id = ${school_id} and device_id = ${device_id} and ended_at is null and applied_at is not null and body is not null returning told_id::text`.execute(db)
  await sql`
    insert into device_rule_told (school_id, device_id, rule_kind, hash, body, rule_ids, rule_names, told_at)
    select school_id, device_id, rule_kind, hash, body, rule_ids, rule_names, ${now}::timestamptz from device_rule_told
    where school_id = ${school_id} and told_id = any(${rows.map(row => row.told_id)}::bigint[]) returning 1`.execute(db)
}
