import type { OpenItem } from '@campus/people/contract'
import { asTables } from '@kit/server/db'
import type { PeopleDb } from '../db.ts'
import { readDeleteConfig } from './delete-config.queries.ts'
import { precheckPort } from './precheck-port.ts'
import type { Precheck, PrecheckDesk, PrecheckLevel } from './precheck-port.ts'

/** Registered items with the level that the school gave them. */
async function checksOf(desk: PrecheckDesk): Promise<{ check: Precheck; level: PrecheckLevel }[]> {
  const { checks } = await readDeleteConfig(asTables<PeopleDb>(desk.db), desk.school_id)
  return precheckPort.all(desk.app).map(check => ({ check, level: check.is_fixed ? check.level : (checks[check.code] ?? check.level) }))
}

/** What these people leave open, each person's items in the order of their registration; whoever leaves nothing is absent. */
export async function openItems(desk: PrecheckDesk, user_ids: readonly string[]): Promise<Map<string, OpenItem[]>> {
  const found = new Map<string, OpenItem[]>()
  if (user_ids.length === 0) return found
  for (const { check, level } of await checksOf(desk)) {
    for (const { user_id, action, link } of await check.find(desk, user_ids)) {
      found.set(user_id, [...(found.get(user_id) ?? []), { code: check.code, title: check.title, level, action, link }])
    }
  }
  return found
}

/** Settles on the spot what the school wants settled so; what is left afterwards is found by `openItems`. */
export async function settleItems(desk: PrecheckDesk, user_ids: readonly string[]): Promise<void> {
  for (const { check, level } of await checksOf(desk)) {
    if (level !== 'settle' || !check.settle) continue
    const hits = await check.find(desk, user_ids)
    if (hits.length > 0) await check.settle(desk, hits.map(hit => hit.user_id))
  }
}

/** Do these items keep somebody from being deleted? What should have been settled and is still there does. */
export function isBlocked(items: readonly OpenItem[]): boolean {
  return items.some(item => item.level !== 'warn')
}
