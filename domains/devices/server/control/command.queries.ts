import { DeviceCommand } from '@campus/devices/contract'
import type { CommandName, CommandState } from '@campus/devices/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { tellDevices } from '../device.watch.ts'

type Of = { school_id: number; device_id: string }
/** Days back in which a command is looked for by its id. */
const days_back = 2
/** What a command is told beside its name. */
export type CommandArgs = Readonly<Record<string, unknown>>
const Waiting = z.object({ command_id: z.string(), command: z.string(), args: z.record(z.string(), z.unknown()), expires_at: z.date().transform(at => at.toISOString()) })

/** Writes down a command that is to go out at once. */
export async function writeCommand(db: Db, { school_id, device_id }: Of, { command_id, command, args, now, expires_at, asked_by }: { command_id: string; command: CommandName; args: CommandArgs; now: Date; expires_at: Date; asked_by: string | null }): Promise<void> {
  await sql`
    insert into device_command (school_id, asked_on, command_id, device_id, command, args, state, asked_at, asked_by, expires_at)
    values (${school_id}, (${now}::timestamptz at time zone 'Asia/Shanghai')::date, ${command_id}, ${device_id}, ${command}, ${JSON.stringify(args)}::jsonb, 'QUEUED', ${now}, ${asked_by}, ${expires_at})`.execute(db)
}

/** Commands that wait for a device and are not too late; they are on their way from here on. */
export async function takeWaiting(db: Db, { school_id, device_id }: Of, now: Date): Promise<z.output<typeof Waiting>[]> {
  const { rows } = await sql`
    update device_command set state = 'SENT', sent_at = ${now} where school_id = ${school_id} and device_id = ${device_id} and state = 'QUEUED' and expires_at > ${now}
    returning command_id::text, command, args, expires_at`.execute(db)
  return z.array(Waiting).parse(rows)
}

/** What a device has answered; a command that is settled stays as it is. @returns which of ours it was; undefined: none */
export async function settleCommand(db: Db, { school_id, device_id }: Of, { command_id, code, text, now }: { command_id: string; code: string; text: string | null; now: Date }): Promise<string | undefined> {
  const state: CommandState = code === 'ok' ? 'SUCCESSFUL' : code === 'expired' ? 'EXPIRED' : 'FAILED'
  const { rows } = await sql<{ command: string }>`
    update device_command set state = ${state}, replied_at = ${now}, reply_code = ${code.slice(0, 40)}, reply_text = ${text}
    where school_id = ${school_id} and device_id = ${device_id} and command_id = ${command_id} and asked_on >= (${now}::timestamptz at time zone 'Asia/Shanghai')::date - ${days_back}::int and state in ('SENT', 'TIMEOUT')
    returning command`.execute(db)
  if (rows.length > 0) await tellDevices({ db, school_id }, [device_id], 'command')
  return rows[0]?.command
}

/** Ends what was never sent, and what nobody has answered for `patience_ms` after its end. */
export async function endCommands(db: Db, school_id: number, now: Date, patience_ms: number): Promise<void> {
  const { rows } = await sql<{ device_id: string }>`
    update device_command set state = case when state = 'QUEUED' then 'EXPIRED' else 'TIMEOUT' end
    where school_id = ${school_id} and ((state = 'QUEUED' and expires_at <= ${now}) or (state = 'SENT' and expires_at <= ${new Date(now.getTime() - patience_ms)}))
    returning device_id::text`.execute(db)
  await tellDevices({ db, school_id }, rows.map(row => row.device_id), 'command')
}

/** One command of the last days. */
export async function readCommand(db: Db, school_id: number, command_id: string, now: Date): Promise<DeviceCommand | undefined> {
  const { rows } = await select(sql`c.school_id = ${school_id} and c.command_id = ${command_id} and c.asked_on >= (${now}::timestamptz at time zone 'Asia/Shanghai')::date - ${days_back}::int`, sql``).execute(db)
  return rows.map(told)[0]
}

/** Commands of a device, the latest first. */
export async function readCommands(db: Db, { school_id, device_id }: Of, { limit, offset }: { limit: number; offset: number }): Promise<{ list: DeviceCommand[]; total: number }> {
  const { rows } = await select(sql`c.school_id = ${school_id} and c.device_id = ${device_id}`, sql`order by c.asked_at desc, c.command_id limit ${limit} offset ${offset}`).execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from device_command where school_id = ${school_id} and device_id = ${device_id}`.execute(db)
  return { list: rows.map(told), total: counted.rows[0]?.total ?? 0 }
}

function select(which: ReturnType<typeof sql>, rest: ReturnType<typeof sql>) {
  return sql<Record<string, unknown>>`
    select c.command_id::text, c.device_id::text, c.command, c.state, c.asked_at, l.display_name as asked_by_name, c.expires_at, c.sent_at, c.replied_at, c.reply_code, c.reply_text
    from device_command c left join person_label l on l.school_id = c.school_id and l.user_id = c.asked_by
    where ${which} ${rest}`
}

function told(row: Record<string, unknown>): DeviceCommand {
  return DeviceCommand.parse(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value])))
}
