import { box_types } from '@campus/devices/contract'
import { closedParts, DoorRuleBody, rowHash, RuleBody, schoolMoment } from '@kit/terminal-protocol'
import type { ClosedPart } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { warnRuleChanges } from '../ai/rule.plan.ts'
import { writeRows } from '../sync/row.write.ts'
import type { Change } from '../sync/row.write.ts'
import { compileRules } from './compile.ts'
import { mondayOf } from './days.ts'
import { devicesOf, rulesAt } from './rule.queries.ts'
import { noteDoorHeld, noteTold } from './told.write.ts'
import { wayOf } from './way.ts'
import type { RuleKind } from './way.ts'

type Of = { school_id: number; device_id: string }
/** Keys of the rows by kind of rule. */
export const rule_keys: Readonly<Record<RuleKind, string>> = { 1: 'door', 2: 'close', 3: 'sleep' }
const kinds: readonly RuleKind[] = [1, 2, 3]
/** Rules go after rights, people and what they are known by (chapter 30 rule 4). */
const rule_prio = 8

/** What became of the rules of a device, in rows; `is_narrowed`: its permissions have to be derived anew. */
export type Followed = { changed: number; unchanged: number; blocked: number; is_narrowed: boolean }

/**
 * Brings what a device is told of its rules in line with the rules: day by day from this Monday on. What is right already gets no new version, so that following twice sends nothing
 * (chapter 30 rules 3 and 20). Hardware that knows no rules is never sent any; a door of it is closed by taking the times out of every permission. A box is told what to warn of as well.
 */
export async function followRules(db: Db, of: Of, now: Date): Promise<Followed> {
  const followed: Followed = { changed: 0, unchanged: 0, blocked: 0, is_narrowed: false }
  const [device] = await devicesOf(db, of.school_id, 1, { device_ids: [of.device_id], place_ids: [] })
  // Like everything else, rules are derived for who has connected once.
  if (!device || device.lifecycle === 'pending') return followed
  const monday = mondayOf(schoolMoment(now).date)
  const rules = await rulesAt(db, of.school_id, device)
  const changes: Change[] = []
  for (const kind of kinds) {
    const way = wayOf(kind, device)
    const facts = rules.get(kind) ?? []
    if (facts.length > 0 && way !== 'rule' && way !== 'permissions') followed.blocked += 1
    const body = way === 'rule' || way === 'permissions' ? compileRules(facts, monday) : undefined
    const before = await readPlan(db, of, kind)
    await writePlan(db, of, { kind, body, rule_ids: facts.map(fact => fact.rule_id), monday })
    await noteTold(db, of, { kind, body, hash: body ? rowHash(body) : '', rule_ids: body ? facts.map(fact => fact.rule_id) : [] }, now)
    if (way === 'permissions') followed.is_narrowed ||= JSON.stringify(partsOf(before)) !== JSON.stringify(partsOf(body))
    const change = way === 'permissions' ? (followed.is_narrowed ? 'other' : body && 'same') : await changeOf(db, of, kind, body)
    if (change === 'same') followed.unchanged += 1
    else if (change) followed.changed += 1
    if (typeof change === 'object') changes.push(change)
  }
  if (device.driver === 'vf105' && !followed.is_narrowed) await noteDoorHeld(db, of, now)
  if (box_types.includes(device.device_type)) {
    const warn = await warnRuleChanges(db, of, now)
    changes.push(...warn.changes)
    Object.assign(followed, { changed: followed.changed + warn.changes.length, unchanged: followed.unchanged + warn.unchanged, blocked: followed.blocked + warn.blocked })
  }
  if (changes.length > 0) await writeRows(db, of, changes, now)
  return followed
}

/** When the door of hardware that knows no rules is closed to everybody. */
export async function closedTimes(db: Db, of: Of): Promise<ClosedPart[]> {
  return partsOf(await readPlan(db, of, 1))
}

/** What a device was told of its rules, by the key of the row. */
export async function readRuleBodies(db: Db, { school_id, device_id }: Of): Promise<Map<string, RuleBody>> {
  const rows = await db.selectFrom('device_rule_plan').select(['body']).where('school_id', '=', school_id).where('device_id', '=', device_id).execute()
  return new Map(rows.map(row => RuleBody.parse(row.body)).map(body => [body.kind, body]))
}

/** The devices of a school whose days were told before this week: they are to be told the next ones. */
export async function devicesOfLastWeek(db: Db, school_id: number, now: Date): Promise<string[]> {
  const rows = await db.selectFrom('device_rule_plan').select('device_id').distinct().where('school_id', '=', school_id).where('planned_from', '<', sql<string>`${mondayOf(schoolMoment(now).date)}::date`).execute()
  return rows.map(row => row.device_id)
}

async function readPlan(db: Db, { school_id, device_id }: Of, kind: RuleKind): Promise<RuleBody | undefined> {
  const row = await db.selectFrom('device_rule_plan').select('body').where('school_id', '=', school_id).where('device_id', '=', device_id).where('rule_kind', '=', kind).executeTakeFirst()
  return row && RuleBody.parse(row.body)
}

async function writePlan(db: Db, { school_id, device_id }: Of, { kind, body, rule_ids, monday }: { kind: RuleKind; body: RuleBody | undefined; rule_ids: readonly string[]; monday: string }): Promise<void> {
  if (!body) {
    await db.deleteFrom('device_rule_plan').where('school_id', '=', school_id).where('device_id', '=', device_id).where('rule_kind', '=', kind).execute()
    return
  }
  await sql`
    insert into device_rule_plan (school_id, device_id, rule_kind, body, hash, rule_ids, planned_from)
    values (${school_id}, ${device_id}, ${kind}, ${JSON.stringify(body)}::jsonb, ${rowHash(body)}, ${[...rule_ids]}::bigint[], ${monday}::date)
    on conflict (school_id, device_id, rule_kind) do update set body = excluded.body, hash = excluded.hash, rule_ids = excluded.rule_ids, planned_from = excluded.planned_from`.execute(db)
}

async function changeOf(db: Db, { school_id, device_id }: Of, kind: RuleKind, body: RuleBody | undefined): Promise<Change | 'same' | undefined> {
  const row_key = rule_keys[kind]
  const before = await db.selectFrom('sync_row').select(['want_op', 'want_hash']).where('school_id', '=', school_id).where('device_id', '=', device_id).where('kind', '=', 'rule').where('row_key', '=', row_key).executeTakeFirst()
  const change = { kind: 'rule', row_key, user_id: null, prio: rule_prio, state: 'pending', reason_code: null } as const
  if (!body) return before?.want_op === 'put' ? { ...change, want_op: 'delete', want_hash: before.want_hash } : undefined
  const want_hash = rowHash(body)
  return before?.want_op === 'put' && before.want_hash === want_hash ? 'same' : { ...change, want_op: 'put', want_hash }
}

function partsOf(body: RuleBody | undefined): ClosedPart[] {
  const door = DoorRuleBody.safeParse(body).data
  return door ? closedParts(door) : []
}

