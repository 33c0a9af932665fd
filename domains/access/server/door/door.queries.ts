import { DoorCommandRow, DoorRow } from '@campus/access/contract'
import { inPlaces, placeScope } from '@campus/places/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { AccessCtx } from '../db.ts'
import { door_types } from '../decide/read-facts.ts'

const [day_ms, opened, gate_kind] = [86_400_000, 1, 9] as const
/** How long an answer is waited for: as long as the command may be on its way, and a little. */
const [open_wait_ms, other_wait_ms] = [15_000, 65_000] as const
/** How a door is may have been said so long ago. */
const mode_days = 31

/** How far a command is; one that nobody has answered in its time is over, though nobody has written that down yet. */
export function stateOf(now: Date): RawBuilder<string | null> {
  const wait = sql`case when c.kind = ${opened} then ${new Date(now.getTime() - open_wait_ms)}::timestamptz else ${new Date(now.getTime() - other_wait_ms)}::timestamptz end`
  return sql<string | null>`case when v.state = 'QUEUED' and c.asked_at < ${wait} then 'EXPIRED' when v.state = 'SENT' and c.asked_at < ${wait} then 'TIMEOUT' else v.state end`
}

const instant = z.date().transform(at => at.toISOString())
const Door = DoorRow.omit({ last_command: true, last_pass: true }).extend({ mode_until: instant.nullable() })
const Last = z.object({ device_id: z.string(), kind: DoorCommandRow.shape.kind, state: DoorCommandRow.shape.state, seconds: z.number().nullable(), asked_at: instant })
const Passed = z.object({ device_id: z.string(), user_name: z.string().nullable(), at: instant, result: z.number(), direction: z.number() })

/** Doors whose place he looks after, with what they can and how they are. */
export async function readDoors(ctx: AccessCtx, { keyword, device_ids }: { keyword?: string | undefined; device_ids?: readonly string[] }): Promise<z.output<typeof Door>[]> {
  const { db, school_id, now } = ctx
  const scope = await placeScope(ctx)
  const since = schoolDay(new Date(now.getTime() - mode_days * day_ms))
  const { rows } = await sql`
    select d.device_id::text, d.device_name, p.place_id::text, p.place_name, p.node_path_name, coalesce(d.direction, 3)::int as direction, p.place_kind = ${gate_kind} as is_perimeter, d.online, f.door_modes as can,
      case m.kind when 2 then 'held' when 3 then 'locked' when 5 then 'evacuated' when 6 then 'sealed' else 'normal' end as mode, m.hold_until as mode_until
    from device_live_v d
    join place_live_v p on p.school_id = ${school_id} and p.place_id = d.place_id and ${inPlaces('p.node_path', scope)}
    join device_profile_v f on f.school_id = ${school_id} and f.device_id = d.device_id
    left join (
      select distinct on (c.device_id) c.device_id, c.kind, c.hold_until from door_command c
      join device_command_v v on v.school_id = ${school_id} and v.asked_on = c.asked_on and v.command_id = c.command_id and v.state = 'SUCCESSFUL'
      where c.school_id = ${school_id} and c.asked_on >= ${since}::date and c.kind > ${opened} order by c.device_id, c.asked_at desc) m
      on m.device_id = d.device_id and (m.hold_until is null or m.hold_until > ${now})
    where d.school_id = ${school_id} and d.device_type = any(${[...door_types]}::text[])
      and ${device_ids === undefined ? sql`true` : sql`d.device_id = any(${[...device_ids]}::bigint[])`}
      and ${keyword === undefined ? sql`true` : sql`(${nameHas(nameKeyOf('d.device_name'), keyword)} or ${nameHas(nameKeyOf('p.node_path_name'), keyword)})`}
    order by p.node_path, d.device_name, d.device_id`.execute(db)
  return z.array(Door).parse(rows)
}

/** @throws Refusal 404 for a door that is not there or not his */
export async function requireDoors(ctx: AccessCtx, device_ids: readonly string[]): Promise<z.output<typeof Door>[]> {
  const doors = await readDoors(ctx, { device_ids })
  if (doors.length < new Set(device_ids).size) throw fail(commonErrors.notFound)
  return doors
}

/** The last command of each door of the last day, and who last passed it today. */
export async function readLast({ db, school_id, now }: AccessCtx, device_ids: readonly string[]) {
  const today = schoolDay(now)
  const commands = await sql`
    select distinct on (c.device_id) c.device_id::text, c.kind::int, ${stateOf(now)} as state, extract(epoch from v.replied_at - c.asked_at)::float as seconds, c.asked_at
    from door_command c left join device_command_v v on v.school_id = ${school_id} and v.asked_on = c.asked_on and v.command_id = c.command_id
    where c.school_id = ${school_id} and c.asked_on >= ${schoolDay(new Date(now.getTime() - day_ms))}::date and c.device_id = any(${[...device_ids]}::bigint[]) order by c.device_id, c.asked_at desc`.execute(db)
  const passes = await sql`
    select p.device_id::text, l.display_name as user_name, p.event_time as at, p.result::int, p.direction::int
    from (
      select distinct on (device_id) device_id, subject_id, event_time, result, direction from access_pass
      where school_id = ${school_id} and event_date = ${today}::date and event_time >= ${new Date(`${today}T00:00:00+08:00`)} and device_id = any(${[...device_ids]}::bigint[]) order by device_id, event_time desc) p
    left join person_label l on l.school_id = ${school_id} and l.user_id = p.subject_id`.execute(db)
  const last_commands = z.array(Last).parse(commands.rows)
  const last_passes = z.array(Passed).parse(passes.rows)
  return { commands: new Map(last_commands.map(({ device_id, ...row }) => [device_id, row])), passes: new Map(last_passes.map(({ device_id, ...row }) => [device_id, row])) }
}

const Command = DoorCommandRow.extend({ hold_until: instant.nullable(), asked_at: instant })

/** Commands to doors of places that he looks after, the latest first. */
export async function pageCommands(ctx: AccessCtx, { device_id, page_index, page_size }: { device_id?: string | undefined; page_index: number; page_size: number }): Promise<{ list: DoorCommandRow[]; total: number }> {
  const { db, school_id, now } = ctx
  const scope = await placeScope(ctx)
  const from = sql`door_command c
    join device_live_v d on d.school_id = ${school_id} and d.device_id = c.device_id
    left join place_live_v p on p.school_id = ${school_id} and p.place_id = d.place_id
    where c.school_id = ${school_id} and ${scope === 'all' ? sql`true` : inPlaces('p.node_path', scope)} and ${device_id === undefined ? sql`true` : sql`c.device_id = ${device_id}`}`
  const { rows } = await sql`
    select c.*, v.reply_text, ${stateOf(now)} as state, extract(epoch from v.replied_at - c.asked_at)::float as seconds, l.display_name as by_name
    from (select c.command_id::text, c.asked_on, c.device_id::text, d.device_name, p.place_name, c.kind::int, c.reason_code, c.reason, c.source::int, c.hold_until, c.asked_at, c.by_user from ${from}
      order by c.asked_at desc, c.command_id limit ${page_size} offset ${(page_index - 1) * page_size}) c
    left join device_command_v v on v.school_id = ${school_id} and v.asked_on = c.asked_on and v.command_id = c.command_id::uuid
    left join person_label l on l.school_id = ${school_id} and l.user_id = c.by_user
    order by c.asked_at desc, c.command_id`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from ${from}`.execute(db)
  return { list: z.array(Command).parse(rows), total: counted.rows[0]?.total ?? 0 }
}
