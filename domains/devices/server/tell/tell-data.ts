import { devicesTemplates } from '@campus/devices/contract'
import { send } from '@campus/messages/server'
import type { Sender } from '@campus/messages/server'
import { sql } from 'kysely'
import { cut, home, most_named, namesOf, placeOf } from './device-words.ts'
import { readSetting } from '../setting/setting.queries.ts'
import { receiversAt } from './receivers.ts'

const nowhere = '未绑定场所'
const [names_field, device_field, place_field] = [50, 47, 60] as const
const pageOf = (device_name: string) => `${home}?keyword=${encodeURIComponent(device_name)}`

/** A change that would take most people from devices waits for a signature: one message for everything that one person looks after (chapter 30 rule 10). */
export async function tellMassHeld(desk: Sender, device_ids: readonly string[]): Promise<void> {
  const { db, school_id } = desk
  const { rows } = await sql<{ plan_id: string; device_id: string; device_name: string; persons: number; persons_total: number }>`
    select p.plan_id::text as plan_id, p.device_id::text as device_id, d.device_name, p.persons, p.persons_total from sync_plan p join device d on d.school_id = p.school_id and d.device_id = p.device_id
    where p.school_id = ${school_id} and p.state = 'held' and p.device_id = any(${[...device_ids]}::bigint[]) order by p.persons desc, d.device_name`.execute(db)
  const told = new Map<string, (typeof rows)[number][]>()
  for (const row of rows) for (const { user_id } of await receiversAt(desk, (await placeOf(desk, row.device_id))?.node_path ?? null, true)) told.set(user_id, [...(told.get(user_id) ?? []), row])
  for (const [user_id, held] of told) {
    const [worst] = held
    if (!worst) continue
    const values = { names: cut(namesOf(held.map(one => one.device_name), '台'), names_field), count: String(worst.persons), share: String(Math.round((100 * worst.persons) / Math.max(1, worst.persons_total))) }
    await send(desk, { template: devicesTemplates.massHeld, source_ref: `mass_held/${user_id}/${held.map(one => one.plan_id).toSorted()[0] ?? ''}`, to: [{ user_id }], values, link: home, level: 2 })
  }
}

/** A device has lost what it held and is filled again by itself: until then people do not pass there (chapter 30 rule 11). `ref`: by which loss this is known, so that it is told once. */
export async function tellWiped(desk: Sender, device_id: string, ref: string): Promise<void> {
  const { rows: [{ count } = { count: 0 }] } = await sql<{ count: number }>`select count(*)::int as count from sync_row where school_id = ${desk.school_id} and device_id = ${device_id} and kind = 'person' and want_op = 'put' and state = 'pending'`.execute(desk.db)
  const device = count > 0 ? await placeOf(desk, device_id) : undefined
  const to = device ? await receiversAt(desk, device.node_path, true) : []
  if (!device || to.length === 0) return
  await send(desk, { template: devicesTemplates.wiped, source_ref: `wiped/${device_id}/${ref}`, to, values: { device: cut(device.device_name, device_field), place: cut(device.node_path_name ?? nowhere, place_field), count: String(count) }, link: pageOf(device.device_name), level: 2 })
}

/** A read-back has found what nobody here has put on a device, since it was asked for (chapter 30 rule 9). `asked_at`: of the read-back. */
export async function tellForeign(desk: Sender, device_id: string, asked_at: string): Promise<void> {
  const { rows: [{ count } = { count: 0 }] } = await sql<{ count: number }>`select count(*)::int as count from sync_drift where school_id = ${desk.school_id} and device_id = ${device_id} and found = 'foreign' and resolved_at is null and found_at >= ${asked_at}::timestamptz`.execute(desk.db)
  const device = count > 0 ? await placeOf(desk, device_id) : undefined
  const to = device ? await receiversAt(desk, device.node_path, true) : []
  if (!device || to.length === 0) return
  const { foreign_policy } = await readSetting(desk.db, desk.school_id)
  await send(desk, { template: devicesTemplates.foreign, source_ref: `foreign/${device_id}/${asked_at}`, to, values: { device: cut(device.device_name, device_field), place: cut(device.node_path_name ?? nowhere, place_field), count: String(count), unless: foreign_policy === 'report' ? '' : '24小时内没有决定的，将自动从设备删除。' }, link: pageOf(device.device_name), level: 2 })
}

/** Foreign rows that nobody has decided on have gone from a device by themselves, as the school has set. */
export async function tellForeignGone(desk: Sender, device_id: string, count: number): Promise<void> {
  const device = await placeOf(desk, device_id)
  const to = device ? await receiversAt(desk, device.node_path, true) : []
  if (!device || to.length === 0) return
  const values = { device: cut(device.device_name, device_field), place: cut(device.node_path_name ?? nowhere, place_field), count: String(count) }
  await send(desk, { template: devicesTemplates.foreignGone, source_ref: `foreign_gone/${device_id}/${desk.now.toISOString()}`, to, values, link: pageOf(device.device_name), level: 1 })
}

/** A lost device still holds people: who they are and how many photographs (chapter 30 §2.1). Told before its rows are given up. */
export async function tellLostData(desk: Sender, device_id: string): Promise<void> {
  const { rows } = await sql<{ user_name: string; faces: number; count: number }>`
    select coalesce(s.user_name, '已离校人员') as user_name, sum(count(*) filter (where r.kind = 'credential' and r.row_key like 'f%')) over ()::int as faces, count(*) over ()::int as count
    from sync_row r left join subject s on s.school_id = r.school_id and s.user_id = r.user_id
    where r.school_id = ${desk.school_id} and r.device_id = ${device_id} and r.kind in ('person', 'credential') and r.state <> 'gone' and r.sent_at is not null and r.user_id is not null
    group by r.user_id, s.user_name order by r.user_id limit ${most_named + 1}`.execute(desk.db)
  const [first] = rows
  const device = first && (await placeOf(desk, device_id))
  const to = device ? await receiversAt(desk, device.node_path, true) : []
  if (!first || !device || to.length === 0) return
  const values = { device: cut(device.device_name, device_field), count: String(first.count), faces: String(first.faces), names: namesOf(rows.map(row => row.user_name), null) }
  await send(desk, { template: devicesTemplates.lostData, source_ref: `lost_data/${device_id}`, to, values, link: pageOf(device.device_name), level: 3 })
}
