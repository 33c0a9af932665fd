import { asTables } from '@kit/server/db'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import type { AccessDb, Step } from '../db.ts'
import type { Period } from '../decide/facts.ts'
import { concernedBy } from './concerned.ts'
import { derive } from './derive.ts'

const by_hand = 1

type Doors = { rule: string; in_place_ids: string[]; out_place_ids: string[] }
type AssignedDept = Doors & { dept_id: string; study_method?: string; by_bus?: boolean }
type AssignedUser = Doors & { user_id: string; mode: 1 | 2 }
/** Rules by name, who goes by them since a day, and what was allowed or denied to some for a while. */
type PlannedTemporary = { person_kind: 1 | 2; user_id: string; effect: 1 | 2; direction: 1 | 2 | 3; begin: Date; end: Date; max_times?: number; reason_code: string; reason: string; created_by: string; revoked_at?: Date }
type PlannedBan = { user_id: string; begin: Date; end: Date; reason: string; created_by: string }
export type PlannedAccess = { temporaries: readonly PlannedTemporary[]; bans: readonly PlannedBan[]; from: Date; rules: readonly { rule_name: string; scene: number; periods: readonly Period[] }[]; depts: readonly AssignedDept[]; users: readonly AssignedUser[] }

/** Writes rules with whom they concern and hands their rights to devices, as the demo and seeds need it. */
export async function createAccess({ app, db: handle, school_id, now }: { app: App; db: QueryExecutorProvider; school_id: number; now: Date }, { from, rules, depts, users, temporaries, bans }: PlannedAccess): Promise<void> {
  const db = asTables<AccessDb>(handle)
  const ids = new Map<string, { rule_id: string; scene: number }>()
  for (const { rule_name, scene, periods } of rules) {
    const { rule_id } = await db.insertInto('access_rule').values({ school_id, rule_name, scene, updated_at: now }).returning('rule_id').executeTakeFirstOrThrow()
    await db.insertInto('access_rule_version').values({ school_id, rule_id, version: 1, valid_from: from, periods: JSON.stringify(periods), dates: JSON.stringify([]) }).execute()
    ids.set(rule_name, { rule_id, scene })
  }
  const ruleOf = (name: string) => {
    const rule = ids.get(name)
    if (!rule) throw new Error(`no rule is called ${name}`)
    return { ...rule, school_id, valid_from: from, updated_at: now }
  }
  if (depts.length > 0) await db.insertInto('dept_rule').values(depts.map(({ rule, ...row }) => ({ ...ruleOf(rule), ...row }))).execute()
  if (users.length > 0) await db.insertInto('user_rule').values(users.map(({ rule, ...row }) => ({ ...ruleOf(rule), ...row }))).execute()
  await addOneOffs({ db, school_id, now }, { temporaries, bans })
  const step: Step = { app, db, school_id, now }
  const named = [...users, ...temporaries, ...bans].map(one => one.user_id)
  await derive(step, await concernedBy(step, { dept_ids: depts.map(one => one.dept_id), user_ids: named }))
}

async function addOneOffs({ db, school_id, now }: Pick<Step, 'db' | 'school_id' | 'now'>, { temporaries, bans }: Pick<PlannedAccess, 'temporaries' | 'bans'>): Promise<void> {
  for (const { user_id, begin, end, revoked_at = null, ...rest } of temporaries) {
    const row = { ...rest, school_id, valid_from: begin, valid_to: end, revoked_at, source: by_hand, place_ids: [], created_at: new Date(Math.min(begin.getTime(), now.getTime())) }
    const { temporary_rule_id } = await db.insertInto('temporary_rule').values(row).returning('temporary_rule_id').executeTakeFirstOrThrow()
    await db.insertInto('temporary_rule_subject').values({ school_id, temporary_rule_id, user_id }).execute()
  }
  const rows = bans.map(({ begin, end, ...ban }) => ({ ...ban, school_id, valid_from: begin, valid_to: end, created_at: begin }))
  if (rows.length > 0) await db.insertInto('access_ban').values(rows).execute()
}
