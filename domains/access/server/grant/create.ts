import { asTables } from '@kit/server/db'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import type { AccessDb } from '../db.ts'
import type { Period } from '../decide/facts.ts'
import { derive } from './derive.ts'

type Doors = { rule: string; in_place_ids: string[]; out_place_ids: string[] }
type AssignedDept = Doors & { dept_id: string; study_method?: string; by_bus?: boolean }
type AssignedUser = Doors & { user_id: string; mode: 1 | 2 }
/** Rules by name, and who goes by them since a day. */
export type PlannedAccess = { from: Date; rules: readonly { rule_name: string; scene: number; periods: readonly Period[] }[]; depts: readonly AssignedDept[]; users: readonly AssignedUser[] }

/** Writes rules with whom they concern and hands their rights to devices, as the demo and seeds need it. */
export async function createAccess({ app, db: handle, school_id, now }: { app: App; db: QueryExecutorProvider; school_id: number; now: Date }, { from, rules, depts, users }: PlannedAccess): Promise<void> {
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
  await derive({ app, db, school_id, now }, null)
}
