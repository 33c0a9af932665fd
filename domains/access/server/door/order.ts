import { accessEvents } from '@campus/access/contract'
import type { DoorCommand } from '@campus/devices/contract'
import { schoolDay } from '@campus/school/server'
import { publish } from '@kit/server/event'
import type { Step } from '../db.ts'

const opened = 1
/** After these nobody does it any more: an open door is for who stands at it now (chapter 35 §2). */
const [open_ms, other_ms] = [10_000, 60_000] as const
const names: Readonly<Record<number, DoorCommand>> = { 1: 'open', 2: 'hold_open', 3: 'lock', 4: 'resume', 5: 'evacuate', 6: 'seal' }

/** The device's word for a kind, and until when it may be done. */
export function orderOf(kind: number, now: Date, hold_until: Date | null = null): { name: DoorCommand; args: Record<string, unknown>; expires_at: Date } {
  const name = names[kind]
  if (name === undefined) throw new Error(`no door is told ${kind}`)
  return { name, args: hold_until === null ? {} : { until: hold_until.toISOString() }, expires_at: new Date(now.getTime() + (kind === opened ? open_ms : other_ms)) }
}

export type Written = { command_id: string; device_id: string; kind: number; reason_code: string; reason: string; hold_until?: Date | null; by_user: string | null; emergency_id?: string; source: 1 | 2 | 3 }

/** Writes down who told a door what, and why. */
export async function noteCommand({ app, db, school_id, now }: Step, row: Written): Promise<void> {
  await db.insertInto('door_command').values({ ...row, school_id, asked_on: schoolDay(now), asked_at: now }).execute()
  await publish({ app, db, school_id, now }, accessEvents.doorCommanded, { command_id: row.command_id, device_id: row.device_id, kind: row.kind })
}
