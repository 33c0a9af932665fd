import { setTimeout as later } from 'node:timers/promises'
import { asTables } from '@kit/server/db'
import type { Database } from '@kit/server/db'
import type { DevicesDb } from '../db.ts'
import { control } from '../control/control.ts'
import { readCommand } from '../control/command.queries.ts'
import { dueWhole } from '../sync/due.ts'

/** A probe that is not through by then has got stuck: twelve commands, some of which take half a minute. */
const longest_ms = 600_000
const look_ms = 500

/** What a probe came to: the device, its model with the limits as they are now, in one sentence what was found. */
export type Probe = { device_sn: string; model_code: string; limits: unknown; sentence: string }

/**
 * Asks a device that is connected to a server of this installation what it takes, and waits for the end (chapter 31 §5.9). What it has shown becomes the limits of its model.
 * @throws Error for an unknown serial number or a probe that did not end; Refusal 409 deviceOffline, 422 driverUnsupported
 */
export async function probeDevice(database: Database, device_sn: string, now: () => Date = () => new Date()): Promise<Probe> {
  const known = await database.tenant<DevicesDb, { school_id: number; device_id: string } | undefined>(0, db =>
    asTables<DevicesDb>(db).selectFrom('device_client').select(['school_id', 'device_id']).where('client_id', '=', device_sn).where('revoked_at', 'is', null).executeTakeFirst())
  if (!known) throw new Error(`no device has the serial number ${device_sn}`)
  const { school_id, device_id } = known
  const ends = new Date(now().getTime() + longest_ms)
  const command_id = await database.tenant<DevicesDb, string>(school_id, db => control({ db, school_id, now: now(), asked_by: null }, device_id, 'probe', { expires_at: ends }))
  const sentence = await waitFor(database, school_id, command_id, now, ends)
  return database.tenant<DevicesDb, Probe>(school_id, async handle => {
    const db = asTables<DevicesDb>(handle)
    const model = await db.selectFrom('device as d').innerJoin('device_model as m', 'm.model_code', 'd.model_code').select(['m.model_code', 'm.limits']).where('d.school_id', '=', school_id).where('d.device_id', '=', device_id).executeTakeFirstOrThrow()
    return { device_sn, ...model, sentence }
  })
}

/** What devices of a model are to hold is derived anew in a school: its limits have changed. @returns how many devices that are */
export async function followLimits(database: Database, school_id: number, model_code: string, now: Date): Promise<number> {
  return database.tenant<DevicesDb, number>(school_id, async handle => {
    const db = asTables<DevicesDb>(handle)
    const devices = await db.selectFrom('device').select('device_id').where('school_id', '=', school_id).where('model_code', '=', model_code).where('lifecycle', 'in', ['active', 'disabled']).execute()
    await dueWhole({ db, school_id, now }, devices.map(one => one.device_id))
    return devices.length
  })
}

async function waitFor(database: Database, school_id: number, command_id: string, now: () => Date, ends: Date): Promise<string> {
  for (;;) {
    const command = await database.tenant<DevicesDb, Awaited<ReturnType<typeof readCommand>>>(school_id, db => readCommand(asTables<DevicesDb>(db), school_id, command_id, now()))
    if (command?.state === 'SUCCESSFUL') return command.reply_text ?? ''
    if (!command || (command.state !== 'QUEUED' && command.state !== 'SENT') || now() > ends) throw new Error(`the probe did not end (${command?.state ?? 'gone'}): is the device still connected?`)
    await later(look_ms)
  }
}
