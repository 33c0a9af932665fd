import { alarm_names, devicesEvents, devicesTemplates } from '@campus/devices/contract'
import type { AlarmKind } from '@campus/devices/contract'
import { send } from '@campus/messages/server'
import type { Sender } from '@campus/messages/server'
import { schoolDay } from '@campus/school/server'
import { minuteText } from '@kit/server/excel'
import { consume } from '@kit/server/event'
import { sql } from 'kysely'
import { cut, home, most_named, namesOf, placeOf } from './device-words.ts'
import { receiversAt } from './receivers.ts'

/** The line of a device is told of together with others, overwritten records in words of their own, and the end of a fire needs nobody. */
const told_elsewhere: readonly AlarmKind[] = ['offline', 'record_lost']
/** These pass quiet hours. */
const urgent: readonly AlarmKind[] = ['forced', 'fire', 'tamper', 'recovered_fire', 'recovered_tamper']

/** Whoever looks after a place hears of the alarms there. */
export const alarmConsumers = [
  consume('devices.alarm.tell', devicesEvents.alarmRaised.name, devicesEvents.alarmRaised.payload, async (desk, { device_id, alarm_kind, at }) => {
    const kind = alarm_names[alarm_kind]
    const device = told_elsewhere.includes(alarm_kind) ? undefined : await placeOf(desk, device_id)
    if (!device) return
    const is_urgent = urgent.includes(alarm_kind)
    const to = await receiversAt(desk, device.node_path, is_urgent)
    const values = { kind, device: cut(device.device_name, 50), place: cut(device.node_path_name ?? '未绑定场所', 60), at: minuteText(new Date(at)) }
    if (to.length > 0) await send(desk, { template: devicesTemplates.alarm, source_ref: `alarm/${device_id}/${alarm_kind}/${at}`, to, values, link: `${home}?keyword=${encodeURIComponent(device.device_name)}`, level: is_urgent ? 3 : 2 })
  }),
]

/** Devices of which nothing is heard: one message for everything that one person looks after, however many they are. */
export async function tellOffline(desk: Sender, silent: readonly { device_id: string; last_seen_at: Date }[]): Promise<void> {
  const told = new Map<string, { device_id: string; name: string; last_seen_at: Date }[]>()
  for (const { device_id, last_seen_at } of silent) {
    const device = await placeOf(desk, device_id)
    for (const { user_id } of device ? await receiversAt(desk, device.node_path, false) : []) told.set(user_id, [...(told.get(user_id) ?? []), { device_id, name: device?.device_name ?? '', last_seen_at }])
  }
  for (const [user_id, devices] of told) {
    const [first] = devices
    if (!first) continue
    const at = new Date(Math.min(...devices.map(device => device.last_seen_at.getTime())))
    await send(desk, { template: devicesTemplates.offline, source_ref: `offline/${user_id}/${first.device_id}/${desk.now.toISOString()}`, to: [{ user_id }], values: { names: namesOf(devices.map(device => device.name), '台'), at: minuteText(at) }, link: `${home}?device_state=0`, level: 2 })
  }
}

/** People who do not fit on a device, once a day: they cannot pass there, and nobody would know (chapter 30 rule 12). */
export async function tellCapacity(desk: Sender, device_id: string, most: number): Promise<void> {
  const { school_id, now } = desk
  const device = await placeOf(desk, device_id)
  const { rows } = await sql<{ user_name: string; count: number }>`
    select s.user_name, count(*) over ()::int as count from sync_row r join subject s on s.school_id = r.school_id and s.user_id = r.user_id
    where r.school_id = ${school_id} and r.device_id = ${device_id} and r.kind = 'person' and r.state = 'blocked' and r.reason_code = 'capacity' order by r.user_id limit ${most_named + 1}`.execute(desk.db)
  const to = device && rows.length > 0 ? await receiversAt(desk, device.node_path, true) : []
  if (!device || to.length === 0) return
  const count = rows[0]?.count ?? 0
  const names = namesOf(rows.map(row => row.user_name), null)
  await send(desk, { template: devicesTemplates.capacity, source_ref: `capacity/${device_id}/${schoolDay(now)}`, to, values: { device: cut(device.device_name, 50), most: String(most), count: String(count), names }, link: `${home}?keyword=${encodeURIComponent(device.device_name)}`, level: 2 })
}

/** Records of passes that a device may have overwritten while it was away, once a day; `lost`: how many, null when nobody knows (chapter 31 §5.7.10). */
export async function tellRecordLost(desk: Sender, device_id: string, lost: number | null): Promise<void> {
  const device = await placeOf(desk, device_id)
  const to = device ? await receiversAt(desk, device.node_path, true) : []
  if (!device || to.length === 0) return
  const values = { device: cut(device.device_name, 47), place: cut(device.node_path_name ?? '未绑定场所', 60), count: lost === null ? '部分' : `${lost}条` }
  await send(desk, { template: devicesTemplates.recordLost, source_ref: `record_lost/${device_id}/${schoolDay(desk.now)}`, to, values, link: `${home}?keyword=${encodeURIComponent(device.device_name)}`, level: 2 })
}

/** A dangerous setting has cost a canary its connection, or was refused; nobody else was told of it (chapter 30 §5). */
export async function tellTrial(desk: Sender, { device_id, profile_name, reason }: { device_id: string; profile_name: string; reason: string }): Promise<void> {
  const device = await placeOf(desk, device_id)
  const to = device ? await receiversAt(desk, device.node_path, true) : []
  if (!device || to.length === 0) return
  await send(desk, { template: devicesTemplates.configTrial, source_ref: `config_trial/${device_id}/${desk.now.toISOString()}`, to, values: { profile: cut(profile_name, 30), device: cut(device.device_name, 50), reason: cut(reason, 60) }, link: '/DeviceConfig', level: 2 })
}

/** An upgrade has stopped itself. */
export async function tellHeld(desk: Sender, { task_id, version, reason }: { task_id: string; version: string; reason: string }): Promise<void> {
  const to = await receiversAt(desk, null, true)
  if (to.length > 0) await send(desk, { template: devicesTemplates.upgradeHeld, source_ref: `upgrade_held/${task_id}/${desk.now.toISOString()}`, to, values: { version, reason: cut(reason, 60) }, link: '/DeviceConfig', level: 2 })
}
