import { DeviceRuleBody } from '@campus/devices/contract'
import type { DeviceRule } from '@campus/devices/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import type { RuleFact } from './compile.ts'
import { isForPlace } from './way.ts'
import type { RuleDevice, RuleKind } from './way.ts'

const Kind = z.union([z.literal(1), z.literal(2), z.literal(3)])
const Mode = z.enum(['every_day', 'workdays_with_make_up'])
/** A target as it is kept, with where it lies; of what was closed or retired the path is null. */
const Target = z.object({ rule_id: z.string(), device_id: z.string().nullable(), place_id: z.string().nullable(), name: z.string(), node_path: z.string().nullable() })
export type RuleTarget = z.output<typeof Target>
const Row = z.object({ rule_id: z.string(), rule_kind: Kind, rule_name: z.string(), priority: z.number(), body: DeviceRuleBody, valid_from: z.string(), valid_to: z.string().nullable(), calendar_mode: Mode, enabled: z.boolean(), row_version: z.number() })
export type RuleRecord = z.output<typeof Row>
/** Whom a rule is for. */
export type Aim = { device_ids: readonly string[]; place_ids: readonly string[] }

const columns = ['rule_id', 'rule_kind', 'rule_name', 'priority', 'body', sql<string>`valid_from::text`.as('valid_from'), sql<string | null>`valid_to::text`.as('valid_to'), 'calendar_mode', 'enabled', 'row_version'] as const

/** The school's rules of a kind, the greater priority first. */
export async function readRules(db: Db, school_id: number, kind: RuleKind): Promise<RuleRecord[]> {
  const rows = await db.selectFrom('device_rule').select([...columns]).where('school_id', '=', school_id).where('rule_kind', '=', kind).orderBy('enabled', 'desc').orderBy('priority', 'desc').orderBy('rule_id').execute()
  return z.array(Row).parse(rows)
}

/** One rule; `lock` keeps it until the transaction ends. */
export async function oneRule(db: Db, { school_id, rule_id, lock = false }: { school_id: number; rule_id: string; lock?: boolean }): Promise<RuleRecord | undefined> {
  const row = await db.selectFrom('device_rule').select([...columns]).where('school_id', '=', school_id).where('rule_id', '=', rule_id).$if(lock, query => query.forUpdate()).executeTakeFirst()
  return row && Row.parse(row)
}

/** What these rules are for today. */
export async function readTargets(db: Db, school_id: number, rule_ids: readonly string[]): Promise<RuleTarget[]> {
  const { rows } = await sql`
    select t.rule_id::text as rule_id, t.device_id::text as device_id, t.place_id::text as place_id, coalesce(d.device_name, p.place_name, '已停用的场所') as name, coalesce(p.node_path, dp.node_path) as node_path
    from device_rule_target t
    left join device d on d.school_id = t.school_id and d.device_id = t.device_id
    left join place_live_v p on p.school_id = t.school_id and p.place_id = t.place_id
    left join device_place s on s.school_id = t.school_id and s.device_id = t.device_id and s.valid_to is null
    left join place_live_v dp on dp.school_id = s.school_id and dp.place_id = s.place_id
    where t.school_id = ${school_id} and t.rule_id = any(${[...rule_ids]}::bigint[]) and t.valid_to is null order by t.id`.execute(db)
  return z.array(Target).parse(rows)
}

const Device = z.object({ device_id: z.string(), device_name: z.string(), device_type: z.string(), lifecycle: z.string(), driver: z.string(), capabilities: z.unknown(), online: z.boolean(), node_path: z.string().nullable(), node_path_name: z.string().nullable(), place_kind: z.number().nullable() })

/** Devices that are named, and those that stand in a named place or below, as far as a rule of this kind is for them. */
export async function devicesOf(db: Db, school_id: number, kind: RuleKind, { device_ids, place_ids }: Aim): Promise<RuleDevice[]> {
  const { rows } = await sql`
    select d.device_id::text as device_id, d.device_name, d.device_type, d.lifecycle, m.driver, m.capabilities, d.online, p.node_path, p.node_path_name, p.place_kind
    from device d
    join device_model m on m.model_code = d.model_code
    left join device_place s on s.school_id = d.school_id and s.device_id = d.device_id and s.valid_to is null
    left join place_live_v p on p.school_id = s.school_id and p.place_id = s.place_id
    where d.school_id = ${school_id} and d.lifecycle <> 'retired' and (
      d.device_id = any(${[...device_ids]}::bigint[])
      or exists (select from place_live_v r where r.school_id = ${school_id} and r.place_id = any(${[...place_ids]}::bigint[]) and p.node_path >= r.node_path and p.node_path < left(r.node_path, -1) || '0'))
    order by p.node_path_name nulls last, d.device_name`.execute(db)
  const named = new Set(device_ids)
  return z.array(Device).parse(rows).filter(device => named.has(device.device_id) || isForPlace(kind, device)).map(device => ({ ...device, capabilities: device.capabilities ?? null }))
}

const Follower = Row.pick({ rule_id: true, priority: true, body: true, valid_from: true, valid_to: true, calendar_mode: true }).extend({ rule_kind: Kind, is_named: z.boolean() })

/** The rules in force at a device, by kind. */
export async function rulesAt(db: Db, school_id: number, { device_id, device_type, node_path }: Pick<RuleDevice, 'device_id' | 'device_type' | 'node_path'>): Promise<Map<RuleKind, RuleFact[]>> {
  const above = (node_path ?? '').split('/').filter(Boolean)
  const { rows } = await sql`
    select r.rule_id::text as rule_id, r.rule_kind, r.priority, r.body, r.valid_from::text as valid_from, r.valid_to::text as valid_to, r.calendar_mode, bool_or(t.device_id is not null) as is_named
    from device_rule r join device_rule_target t on t.school_id = r.school_id and t.rule_id = r.rule_id and t.valid_to is null
    where r.school_id = ${school_id} and r.enabled and (t.device_id = ${device_id} or t.place_id = any(${above}::bigint[]))
    group by r.school_id, r.rule_id order by r.rule_id`.execute(db)
  const found = z.array(Follower).parse(rows).filter(row => row.is_named || isForPlace(row.rule_kind, { device_type }))
  return new Map([...Map.groupBy(found, row => row.rule_kind)].map(([kind, of]) => [kind, of.map(({ rule_kind: _kind, is_named: _named, ...fact }) => fact)]))
}

/** Of these devices, those whose rows of a kind of rule are in effect; where permissions carry a rule, all of them. */
export async function appliedDevices(db: Db, school_id: number, row_key: string, device_ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ device_id: string }>`
    select r.device_id::text as device_id from sync_row r where r.school_id = ${school_id} and r.device_id = any(${[...device_ids]}::bigint[]) and r.kind = 'rule' and r.row_key = ${row_key} and r.want_op = 'put' and r.state in ('applied', 'proven')
    union
    select p.device_id::text from device_rule_plan p join device d on d.school_id = p.school_id and d.device_id = p.device_id join device_model m on m.model_code = d.model_code and m.driver = 'vf105'
    where p.school_id = ${school_id} and p.device_id = any(${[...device_ids]}::bigint[]) and p.rule_kind = 1
      and not exists (select from sync_row r where r.school_id = ${school_id} and r.device_id = p.device_id and r.kind in ('permission', 'person') and r.state in ('pending', 'sent', 'unknown'))`.execute(db)
  return new Set(rows.map(row => row.device_id))
}

/** A rule without its numbers. */
export function toldRule(rule: RuleRecord, targets: readonly RuleTarget[]): Omit<DeviceRule, 'devices_wanted' | 'devices_applied' | 'devices_unsupported' | 'devices_why'> {
  const own = targets.filter(target => target.rule_id === rule.rule_id)
  const named = (id: 'device_id' | 'place_id') => own.flatMap(target => (target[id] === null ? [] : [{ id: target[id], name: target.name }]))
  return { ...rule, devices: named('device_id'), places: named('place_id') }
}
