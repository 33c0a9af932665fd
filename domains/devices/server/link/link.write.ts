import { DEVICE_STATE, deviceStatesChannel, devicesEvents } from '@campus/devices/contract'
import { publish, publishEach } from '@kit/server/event'
import type { Publisher } from '@kit/server/event'
import { push } from '@kit/server/realtime'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { deviceState } from '../device.state.ts'
import { tellDevices } from '../device.watch.ts'
import { endAlarms } from '../event/alarm.write.ts'
import type { Line } from './line.ts'

/** What a device says of itself when it comes. */
export type Hello = { epoch: string; store_id?: string | undefined; firmware_version?: string | undefined; app_version?: string | undefined; drained_to?: Date | undefined; client_ip: string }
export type OfflineReason = 'will' | 'keepalive' | 'kick' | 'broker' | 'parent'

/** A device has come and said who it is: it is online, and active if it was not yet. @returns whether it has never come before */
export async function bringOnline(line: Line, { client_ip, epoch, ...facts }: Hello): Promise<boolean> {
  const { db, school_id, device_id, now } = line
  const before = await db.selectFrom('device').select(['online', 'lifecycle', 'epoch', 'confirming_since']).where('school_id', '=', school_id).where('device_id', '=', device_id).forNoKeyUpdate().executeTakeFirst()
  if (!before || before.lifecycle === 'retired') return false
  const is_first = before.lifecycle === 'pending'
  await db
    .updateTable('device')
    .set({ ...facts, epoch, last_seen_at: now, online: true, confirming_since: null, offline_reason: null, lifecycle: is_first ? 'active' : before.lifecycle, ...(before.online ? {} : { online_since: now }) })
    .where('school_id', '=', school_id)
    .where('device_id', '=', device_id)
    .execute()
  if (before.confirming_since !== null) await endConfirming(line)
  if (before.online && before.epoch === epoch) return is_first
  await writeLink(line, 'online', { client_ip, epoch })
  await endAlarms(line, ['offline', 'record_lost'], now.toISOString())
  await publish(line, devicesEvents.online, { device_id, at: now.toISOString() })
  await tellTurned(line, [device_id], state => is_first || (!before.online && state === '1'))
  return is_first
}

/** Nobody is on its line any more. What hangs below it goes with it. */
export async function takeOffline(line: Line, reason: OfflineReason): Promise<void> {
  const { db, school_id, device_id, now } = line
  const gone = await db
    .updateTable('device')
    .set(eb => ({ online: false, online_since: null, confirming_since: null, offline_reason: eb.case().when('device_id', '=', device_id).then(reason).else('parent').end() }))
    .where('school_id', '=', school_id)
    .where('online', '=', true)
    .where(eb => eb.or([eb('device_id', '=', device_id), eb('parent_device_id', '=', device_id)]))
    .returning('device_id')
    .execute()
  for (const one of gone) {
    await writeLink({ ...line, device_id: one.device_id }, 'offline', { reason: one.device_id === device_id ? reason : 'parent' })
    await publish(line, devicesEvents.offline, { device_id: one.device_id, at: now.toISOString(), reason })
  }
  // One that is disabled, broken or being upgraded is that still.
  await tellTurned(line, gone.map(one => one.device_id), state => state === '0')
}

/** One line of what happened to a connection. */
export async function writeLink({ db, school_id, device_id, now }: Line, kind: 'online' | 'offline' | 'kicked' | 'refused', more: { reason?: string; client_ip?: string; epoch?: string }): Promise<void> {
  await db.insertInto('device_link_event').values({ school_id, device_id, at: now, kind, ...more }).onConflict(conflict => conflict.doNothing()).execute()
}

/** The broker is gone, and with it what was known of this device: its last state stands until it comes back, or for a while. */
export async function confirmLine(line: Line): Promise<void> {
  const { db, school_id, device_id, now } = line
  await db.updateTable('device').set({ confirming_since: now }).where('school_id', '=', school_id).where('device_id', '=', device_id).where('online', '=', true).where('confirming_since', 'is', null).execute()
  await tellStates(line, [device_id])
}

/** It is there: what hangs below it is, too. */
async function endConfirming(line: Line): Promise<void> {
  const { db, school_id, device_id } = line
  await db.updateTable('device').set({ confirming_since: null }).where('school_id', '=', school_id).where('parent_device_id', '=', device_id).where('confirming_since', 'is not', null).execute()
  await tellStates(line, [device_id])
}

type State = (typeof DEVICE_STATE.codes)[number]

/** What these devices are doing has turned: pages and other domains are told. `isTurned`: where only some of what they may be doing now is new. */
export async function tellTurned(from: Publisher & { db: Db }, device_ids: readonly string[], isTurned: (device_state: State) => boolean = () => true): Promise<void> {
  const told = await tellStates(from, device_ids)
  await publishEach(from, devicesEvents.stateChanged, told.filter(row => isTurned(row.device_state)).map(row => ({ ...row, at: from.now.toISOString() })))
}

/** Tells open pages what these devices are doing now. @returns the same */
export async function tellStates({ db, school_id }: Pick<Line, 'db' | 'school_id'>, device_ids: readonly string[]): Promise<{ device_id: string; device_state: State }[]> {
  if (device_ids.length === 0) return []
  const rows = await db.selectFrom('device as d').select(['d.device_id', deviceState(school_id).as('device_state')]).where('d.school_id', '=', school_id).where('d.device_id', 'in', [...device_ids]).execute()
  const told = rows.flatMap(row => z.object({ device_id: z.string(), device_state: z.enum(DEVICE_STATE.codes) }).safeParse(row).data ?? [])
  await push({ db, school_id }, deviceStatesChannel, told)
  await tellDevices({ db, school_id }, told.map(row => row.device_id), 'state')
  return told
}
