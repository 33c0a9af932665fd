import { release } from '@campus/files/server'
import { bin_days } from '@campus/publishing/contract'
import { asTables } from '@kit/server/db'
import type { Timer, TimerKind } from '@kit/server/event'
import type { PublishingDb } from '../db.ts'
import { state } from './resource.queries.ts'

const kind = 'publishing.purge_resource'
const day_ms = 86_400_000
const bin_ms = bin_days * day_ms

/** What uses the file of a resource. */
export const refOf = (resource_id: string) => ({ ref_kind: 'publishing.resource', ref_id: resource_id })

/** When what lies in the bin from now on is erased. */
export function purgeTimerOf(resource_id: string, now: Date): Timer {
  return { kind, ref: `${resource_id}:${now.getTime()}`, due_at: new Date(now.getTime() + bin_ms) }
}

/** Erases what has lain in the bin for thirty days; what came back meanwhile stays (chapter 60 rule 30). */
export const purgeTimer: TimerKind = {
  kind,
  async run(handle, { app, school_id, ref, now }) {
    const db = asTables<PublishingDb>(handle)
    const resource_id = ref.split(':')[0] ?? ''
    const gone = await db
      .deleteFrom('publishing_resource')
      .where('school_id', '=', school_id)
      .where('resource_id', '=', resource_id)
      .where('state', '=', state.bin)
      .where('deleted_at', '<=', new Date(now.getTime() - bin_ms))
      .returning('resource_id')
      .executeTakeFirst()
    if (gone) await release({ app, db, school_id, now }, refOf(resource_id))
  },
}
