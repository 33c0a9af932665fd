import { randomUUID } from 'node:crypto'
import { accessErrors, accessEvents, doorChannel, Emergency, emergency_words } from '@campus/access/contract'
import type { doorApi } from '@campus/access/contract'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import { push } from '@kit/server/realtime'
import { sql } from 'kysely'
import { z } from 'zod'
import type { AccessCtx, Step } from '../db.ts'
import { driveEmergency, standOf } from './emergency.drive.ts'

const resume = 4
const Row = Emergency.pick({ emergency_id: true, kind: true, reason: true, by_name: true }).extend({ begun_at: z.date().transform(at => at.toISOString()), ended_at: z.null() })

async function openOf({ db, school_id }: Pick<Step, 'db' | 'school_id'>): Promise<z.output<typeof Row> | undefined> {
  const { rows } = await sql`
    select e.emergency_id::text, e.kind::int, e.reason, e.begun_at, e.ended_at, l.display_name as by_name from door_emergency e left join person_label l on l.school_id = ${school_id} and l.user_id = e.begun_by
    where e.school_id = ${school_id} and e.ended_at is null`.execute(db)
  return z.array(Row).parse(rows)[0]
}

/** What goes on in the school now, with how many doors have said that they follow. */
export async function readEmergency(step: Step): Promise<Emergency | null> {
  const found = await openOf(step)
  if (!found) return null
  const doors = await standOf(step, found)
  const done = doors.filter(door => door.state === 'SUCCESSFUL').length
  const { ended_at: _none, ...emergency } = found
  return { ...emergency, doors: doors.length, done, waiting: doors.length - done }
}

/** What every page of the school's console says while it goes on. */
export async function emergencyState(ctx: AccessCtx): Promise<Reply<typeof doorApi.state>> {
  const found = await openOf(ctx)
  return { emergency: found ? { kind: found.kind, reason: found.reason, begun_at: found.begun_at } : null }
}

/**
 * Opens every exit of the school, shuts every entry, or ends that: each door is told until it has answered, and one that comes back on line then (R53).
 * @throws Refusal 409 emergencyOver, doorBusy, 422 emergencyWord
 */
export async function commandEmergency(ctx: AccessCtx, { kind, word, reason }: Input<typeof doorApi.emergency>): Promise<Reply<typeof doorApi.emergency>> {
  const { db, school_id, now, me } = ctx
  const before = await openOf(ctx)
  if (kind === resume) {
    if (!before) throw fail(accessErrors.emergencyOver)
    await endEmergency(ctx, before.emergency_id)
    const { doors, told } = await driveEmergency(ctx, before.emergency_id)
    ctx.note({ target_kind: 'access.door', target_id: before.emergency_id, reason, before: { kind: before.kind }, after: { kind, doors } })
    await announce(ctx, false, { emergency_id: before.emergency_id, kind: before.kind })
    return { emergency: null, doors, told }
  }
  if (word !== emergency_words[kind]) throw fail(accessErrors.emergencyWord, { params: { word: emergency_words[kind] } })
  if (before && before.kind !== kind) await endEmergency(ctx, before.emergency_id)
  const emergency_id = before?.kind === kind ? before.emergency_id : randomUUID()
  if (before?.kind !== kind) await db.insertInto('door_emergency').values({ school_id, emergency_id, kind, reason, begun_at: now, begun_by: me.user_id }).execute()
  const { doors, told } = await driveEmergency(ctx, emergency_id)
  ctx.note({ target_kind: 'access.door', target_id: emergency_id, reason, after: { kind, doors } })
  await announce(ctx, true, { emergency_id, kind })
  return { emergency: await readEmergency(ctx), doors, told }
}

async function endEmergency({ db, school_id, now, me }: AccessCtx, emergency_id: string): Promise<void> {
  await db.updateTable('door_emergency').set({ ended_at: now, ended_by: me.user_id }).where('school_id', '=', school_id).where('emergency_id', '=', emergency_id).execute()
}

async function announce(step: Step, is_open: boolean, facts: { emergency_id: string; kind: 5 | 6 }): Promise<void> {
  await publish(step, is_open ? accessEvents.emergencyOn : accessEvents.emergencyOff, facts)
  await push(step, doorChannel, [{ is_open }])
}
