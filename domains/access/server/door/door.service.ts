import { accessErrors } from '@campus/access/contract'
import type { doorApi } from '@campus/access/contract'
import { control } from '@campus/devices/server'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { AccessCtx } from '../db.ts'
import { readEmergency } from './emergency.service.ts'
import { noteCommand, orderOf } from './order.ts'
import type { Written } from './order.ts'
import { pageCommands, readDoors, readLast, requireDoors, stateOf } from './door.queries.ts'

const [opened, most_opened, minute_ms, day_ms] = [1, 10, 60_000, 86_400_000] as const
/** Doors with how they are, what they were last told and who last passed. */
export async function listDoors(ctx: AccessCtx, { keyword }: Input<typeof doorApi.list>): Promise<Reply<typeof doorApi.list>> {
  const doors = await readDoors(ctx, { keyword })
  const { commands, passes } = await readLast(ctx, doors.map(door => door.device_id))
  const list = doors.map(door => ({ ...door, last_command: commands.get(door.device_id) ?? null, last_pass: passes.get(door.device_id) ?? null }))
  return { list, emergency: await readEmergency(ctx) }
}

/** Opens doors once, for who stands at them. @throws Refusal 404, 409 deviceOffline, doorBusy, 422 driverUnsupported, 429 doorOften */
export async function openDoors(ctx: AccessCtx, { device_ids, reason_code, reason }: Input<typeof doorApi.open>): Promise<Reply<typeof doorApi.open>> {
  const doors = await requireDoors(ctx, device_ids)
  await refuseOften(ctx, doors.length)
  await refuseBusy(ctx, device_ids)
  const list = await tellAll(ctx, device_ids, { kind: opened, reason_code, reason, hold_until: null })
  ctx.note({ target_kind: 'access.door', target_id: device_ids[0] ?? '', target_name: doors.map(door => door.device_name).join('、'), reason, after: { device_ids, reason_code } })
  return { list }
}

/** Has doors stand open or shut until then, or go by their rules again. @throws Refusal 404, 409 deviceOffline, doorBusy, 422 holdPast, driverUnsupported */
export async function holdDoors(ctx: AccessCtx, { device_ids, kind, reason_code, reason, hold_until }: Input<typeof doorApi.hold>): Promise<Reply<typeof doorApi.hold>> {
  const until = hold_until === null ? null : new Date(hold_until)
  if (until !== null && (until <= ctx.now || until.getTime() > ctx.now.getTime() + day_ms)) throw fail(accessErrors.holdPast)
  const doors = await requireDoors(ctx, device_ids)
  await refuseBusy(ctx, device_ids)
  const list = await tellAll(ctx, device_ids, { kind, reason_code, reason, hold_until: until })
  ctx.note({ target_kind: 'access.door', target_id: device_ids[0] ?? '', target_name: doors.map(door => door.device_name).join('、'), reason, after: { device_ids, kind, hold_until } })
  return { list }
}

type Order = Pick<Written, 'kind' | 'reason_code' | 'reason'> & { hold_until: Date | null }

async function tellAll(ctx: AccessCtx, device_ids: readonly string[], order: Order): Promise<{ device_id: string; command_id: string }[]> {
  const { db, school_id, now, me } = ctx
  const { name, ...more } = orderOf(order.kind, now, order.hold_until)
  const told = []
  for (const device_id of new Set(device_ids)) {
    const command_id = await control({ db, school_id, now, asked_by: me.user_id }, device_id, name, more)
    await noteCommand(ctx, { ...order, command_id, device_id, by_user: me.user_id, source: 1 })
    told.push({ device_id, command_id })
  }
  return told
}

/** @throws Refusal 429 doorOften above ten openings of one person in a minute (R53) */
export async function refuseOften({ db, school_id, now, me }: AccessCtx, more: number): Promise<void> {
  const { rows: [row] } = await sql<{ n: number }>`
    select count(*)::int as n from door_command where school_id = ${school_id} and asked_at > ${new Date(now.getTime() - minute_ms)} and by_user = ${me.user_id} and kind = ${opened}`.execute(db)
  if ((row?.n ?? 0) + more > most_opened) throw fail(accessErrors.doorOften)
}

/** @throws Refusal 409 doorBusy while a door has not answered to the last command */
async function refuseBusy({ db, school_id, now }: AccessCtx, device_ids: readonly string[]): Promise<void> {
  const { rows } = await sql`
    select 1 as busy from door_command c join device_command_v v on v.school_id = ${school_id} and v.asked_on = c.asked_on and v.command_id = c.command_id
    where c.school_id = ${school_id} and c.asked_at > ${new Date(now.getTime() - 2 * minute_ms)} and c.device_id = any(${[...device_ids]}::bigint[]) and ${stateOf(now)} in ('QUEUED', 'SENT') limit 1`.execute(db)
  if (rows.length > 0) throw fail(accessErrors.doorBusy)
}

/** What doors were told. @throws Refusal 404 for a door that is not his */
export async function listCommands(ctx: AccessCtx, asked: Input<typeof doorApi.commands>): Promise<Reply<typeof doorApi.commands>> {
  if (asked.device_id !== undefined) await requireDoors(ctx, [asked.device_id])
  return pageCommands(ctx, asked)
}
