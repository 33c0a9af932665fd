import { publish } from '@kit/server/event'
import type { Publisher } from '@kit/server/event'
import { alarmEvents } from '@kit/contract'
import { sql } from 'kysely'

type Turned = { plan_id: string; state: string; told_persons: number | null }

/**
 * Changes of these devices that wait for a signature are open alarms of the duty officer (chapter 30 rule 10, 90 §3): told when one begins to wait, when it comes to concern more people or fewer, and when it is signed or over.
 * What was told last stands with the change, so that nothing is told twice; in the transaction that makes it so.
 */
export async function tellHolds(from: Publisher, device_ids: readonly string[]): Promise<void> {
  const { rows } = await sql<Turned>`
    with turned as materialized (select plan_id, state, told_persons from sync_plan
      where school_id = ${from.school_id} and device_id = any(${[...device_ids]}::bigint[]) and (state = 'held' or told_persons is not null) and told_persons is distinct from case when state = 'held' then persons end order by plan_id for update)
    update sync_plan p set told_persons = case when t.state = 'held' then p.persons end from turned t where p.school_id = ${from.school_id} and p.plan_id = t.plan_id
    returning p.plan_id::text as plan_id, t.state, t.told_persons`.execute(from.db)
  for (const { plan_id, state, told_persons } of rows) {
    const open = told_persons === null ? alarmEvents.raised : alarmEvents.changed
    await publish(from, state === 'held' ? open : alarmEvents.closed, { domain: 'devices', kind: 'mass_held', source_id: plan_id, level: 2, deadline: null, need: 'devices.sync.confirm' })
  }
}
