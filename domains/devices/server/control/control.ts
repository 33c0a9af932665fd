import { randomUUID } from 'node:crypto'
import { command_names, devicesErrors } from '@campus/devices/contract'
import type { CommandName } from '@campus/devices/contract'
import { fail } from '@kit/contract'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { DevicesDb } from '../db.ts'
import { tellCommand } from '../notice.ts'
import { writeCommand } from './command.queries.ts'
import type { CommandArgs } from './command.queries.ts'

/** How long a command may take to reach the device (chapter 30 §2.4). */
const expires_ms = 15_000
/** Whose driver can do which of them. */
const can: Readonly<Record<string, readonly CommandName[]>> = {
  jdev: ['restart', 'time', 'beep', 'locate', 'capture', 'screenshot', 'clear_fire', 'log', 'config', 'open', 'hold_open', 'lock', 'resume', 'evacuate', 'seal'],
  vf105: ['probe', 'open', 'evacuate', 'resume'],
}

/** Who commands, in his own transaction. */
export type Commander = { db: QueryExecutorProvider; school_id: number; now: Date; asked_by: string | null }

/** Whether hardware of a family knows a command. */
export function canDo(driver: string, command: CommandName): boolean {
  return (can[driver] ?? []).includes(command)
}

type More = { args?: CommandArgs; expires_at?: Date }

/**
 * Tells a device to do something at once, when the transaction is committed. Nothing is kept for a device that is not there.
 * @returns the command's id
 * @throws Refusal 409 deviceOffline, 422 driverUnsupported
 */
export async function control(by: Commander, device_id: string, command: CommandName, more: More = {}): Promise<string> {
  const { command_id, refused } = await tryControl(by, device_id, command, more)
  if (refused === 'unsupported') throw fail(devicesErrors.driverUnsupported, { params: { name: command_names[command] } })
  if (command_id === null) throw fail(devicesErrors.deviceOffline)
  return command_id
}

type Tried = { command_id: string; refused: null } | { command_id: null; refused: 'offline' | 'unsupported' }

/** The same for who commands several devices: one that cannot be told holds up nobody. */
export async function tryControl(by: Commander, device_id: string, command: CommandName, { args = {}, expires_at = new Date(by.now.getTime() + expires_ms) }: More = {}): Promise<Tried> {
  const { school_id, now, asked_by } = by
  const db = asTables<DevicesDb>(by.db)
  const device = await db.selectFrom('device as d').innerJoin('device_model as m', 'm.model_code', 'd.model_code').select(['d.online', 'm.driver']).where('d.school_id', '=', school_id).where('d.device_id', '=', device_id).where('d.lifecycle', 'in', ['active', 'disabled']).executeTakeFirst()
  if (device && !canDo(device.driver, command)) return { command_id: null, refused: 'unsupported' }
  if (!device?.online) return { command_id: null, refused: 'offline' }
  const command_id = randomUUID()
  await writeCommand(db, { school_id, device_id }, { command_id, command, args, now, expires_at, asked_by })
  await tellCommand({ db, school_id }, device_id)
  return { command_id, refused: null }
}
