import { DeviceRuleDraft } from '@campus/devices/contract'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { z } from 'zod'
import type { DevicesDb } from '../db.ts'

/** A rule as a plan has it. */
export type PlannedRule = z.input<typeof DeviceRuleDraft>

/** Writes rules in bulk, without a word in the journal; devices are told them when they come. @throws ZodError for a draft that nobody could have typed */
export async function createRules(db: QueryExecutorProvider, school_id: number, planned: readonly PlannedRule[], from: Date): Promise<void> {
  const own = asTables<DevicesDb>(db)
  for (const plan of planned) {
    const { device_ids, place_ids, body, ...draft } = DeviceRuleDraft.parse(plan)
    const { rule_id } = await own.insertInto('device_rule').values({ school_id, rule_kind: body.kind, ...draft, body: JSON.stringify(body) }).returning('rule_id').executeTakeFirstOrThrow()
    const targets = [...device_ids.map(device_id => ({ device_id, place_id: null })), ...place_ids.map(place_id => ({ device_id: null, place_id }))]
    await own.insertInto('device_rule_target').values(targets.map(target => ({ school_id, rule_id, ...target, valid_from: from }))).execute()
  }
}
