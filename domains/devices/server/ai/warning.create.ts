import { AiRuleDraft } from '@campus/devices/contract'
import { asTables, insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { z } from 'zod'
import type { DevicesDb } from '../db.ts'
import { dayOf } from '../event/timing.ts'
import type { Image } from './merge.ts'

/** A rule as a plan has it. */
export type PlannedAiRule = z.input<typeof AiRuleDraft>
/** A warning of a plan: `camera_device_id` feeds `box_device_id`; `decided`: by whom, when and how. */
export type PlannedWarning = {
  rule_id: string
  warn_kind: string
  box_device_id: string
  camera_device_id: string
  place_id: string
  begin_at: Date
  end_at: Date
  hits: number
  images: readonly Image[]
  decided: { by: string; at: Date; state: 1 | 2; note: string | null } | null
}

/** Writes rules in bulk, without a word in the journal. @returns the id of each @throws ZodError for a draft that nobody could have typed */
export async function createAiRules(db: QueryExecutorProvider, school_id: number, planned: readonly PlannedAiRule[]): Promise<string[]> {
  const own = asTables<DevicesDb>(db)
  const ids: string[] = []
  for (const plan of planned) {
    const { cameras, windows, ...draft } = AiRuleDraft.parse(plan)
    const { rule_id } = await own.insertInto('ai_rule').values({ school_id, ...draft, windows: JSON.stringify(windows) }).returning('rule_id').executeTakeFirstOrThrow()
    await own.insertInto('ai_rule_camera').values(cameras.map(({ camera_device_id, roi }) => ({ school_id, rule_id, camera_device_id, roi: roi && JSON.stringify(roi) }))).execute()
    ids.push(rule_id)
  }
  return ids
}

/** Lets cameras feed boxes, without a word in the journal. */
export async function feedBoxes(db: QueryExecutorProvider, school_id: number, pairs: readonly { camera_device_id: string; box_device_id: string }[], from: Date): Promise<void> {
  await asTables<DevicesDb>(db).insertInto('camera_binding').values(pairs.map(({ camera_device_id, box_device_id }) => ({ school_id, camera_device_id, bind_kind: 'box', target_device_id: box_device_id, valid_from: from }))).execute()
}

/** Writes warnings that were, in bulk: nobody is told of them. @returns the id of each */
export async function createWarnings(db: QueryExecutorProvider, school_id: number, planned: readonly PlannedWarning[]): Promise<string[]> {
  const rows = planned.map(({ decided, images, begin_at, ...facts }, at) => {
    const decision = decided && { state: decided.state, decided_by: decided.by, decided_at: decided.at, decision_note: decided.note }
    return { school_id, event_date: sql<string>`${dayOf(begin_at)}::date`, box_seq: `past:${begin_at.getTime()}:${at}`, begin_at, images: JSON.stringify(images), ...facts, ...decision }
  })
  const written = await asTables<DevicesDb>(db).insertInto('ai_warning').values(rows).returning('warning_id').execute()
  const ids = written.map(row => row.warning_id)
  await insertMany(db, 'ai_decision', planned.flatMap(({ decided }, at) => (decided ? [{ school_id, warning_id: ids[at], user_id: decided.by, role_name: '安全管理员', at: decided.at, from_state: 0, to_state: decided.state, note: decided.note }] : [])))
  return ids
}
