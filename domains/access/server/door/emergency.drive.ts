import { tryControl } from '@campus/devices/server'
import { setTimer } from '@kit/server/event'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Step } from '../db.ts'
import { door_types } from '../decide/read-facts.ts'
import { stateOf } from './door.queries.ts'
import { noteCommand, orderOf } from './order.ts'

/** The timer of a door that has not answered. */
export const emergency_kind = 'access.emergency'
const [evacuate, resume, gate_kind] = [5, 4, 9] as const
const [again_ms, most_tries, by_emergency] = [10_000, 30, 3] as const
const words: Readonly<Record<number, string>> = { 4: 'resume', 5: 'evacuate', 6: 'seal' }

const Door = z.object({ device_id: z.string(), online: z.boolean(), can: z.boolean(), state: z.string().nullable(), tries: z.number() })
type Door = z.output<typeof Door>
type Of = { emergency_id: string; kind: number; ended_at: Date | null }

/**
 * The doors that an emergency concerns, with how far its last command is: the exits of the campus, or its entries alone, since a closure locks nobody in; once it has ended, those that
 * were told anything.
 */
export async function standOf({ db, school_id, now }: Step, { emergency_id, kind, ended_at }: Of): Promise<Door[]> {
  const wanted = ended_at === null ? kind : resume
  const which = ended_at === null
    ? sql`p.place_kind = ${gate_kind} and coalesce(d.direction, 3) = any(${kind === evacuate ? [2, 3] : [1]}::int[])`
    : sql`exists (select 1 from door_command x where x.school_id = ${school_id} and x.emergency_id = ${emergency_id} and x.device_id = d.device_id and x.kind <> ${resume})`
  const { rows } = await sql`
    select d.device_id::text, d.online, ${words[wanted] ?? ''}::text = any(f.door_modes) as can, last.state, coalesce(last.tries, 0)::int as tries
    from device_live_v d
    join place_live_v p on p.school_id = ${school_id} and p.place_id = d.place_id
    join device_profile_v f on f.school_id = ${school_id} and f.device_id = d.device_id
    left join (
      select distinct on (c.device_id) c.device_id, ${stateOf(now)} as state, count(*) over (partition by c.device_id) as tries
      from door_command c left join device_command_v v on v.school_id = ${school_id} and v.asked_on = c.asked_on and v.command_id = c.command_id
      where c.school_id = ${school_id} and c.emergency_id = ${emergency_id} and c.kind = ${wanted} order by c.device_id, c.asked_at desc) last on last.device_id = d.device_id
    where d.school_id = ${school_id} and d.device_type = any(${[...door_types]}::text[]) and ${which} order by d.device_id`.execute(db)
  return z.array(Door).parse(rows)
}

/** Tells every door that has not answered yet, and looks again while one of those that are here has not. */
export async function driveEmergency(step: Step, emergency_id: string): Promise<{ doors: number; told: number }> {
  const { db, school_id, now } = step
  const of = await db.selectFrom('door_emergency').selectAll().where('school_id', '=', school_id).where('emergency_id', '=', emergency_id).executeTakeFirst()
  if (!of) return { doors: 0, told: 0 }
  const doors = await standOf(step, of)
  const [kind, by_user] = of.ended_at === null ? [of.kind, of.begun_by] : [resume, of.ended_by]
  const { name, ...more } = orderOf(kind, now)
  let told = 0
  for (const { device_id } of doors.filter(door => isDue(door) && !isOnItsWay(door))) {
    const { command_id } = await tryControl({ db, school_id, now, asked_by: by_user }, device_id, name, more)
    if (command_id === null) continue
    await noteCommand(step, { command_id, device_id, kind, reason_code: String(evacuate), reason: of.reason, by_user, emergency_id, source: by_emergency })
    told += 1
  }
  if (doors.some(isDue)) await setTimer(step, { kind: emergency_kind, ref: emergency_id, due_at: new Date(now.getTime() + again_ms) })
  return { doors: doors.length, told }
}

function isDue({ online, can, state, tries }: Door): boolean {
  return online && can && state !== 'SUCCESSFUL' && tries < most_tries
}

function isOnItsWay({ state }: Door): boolean {
  return state === 'QUEUED' || state === 'SENT'
}
