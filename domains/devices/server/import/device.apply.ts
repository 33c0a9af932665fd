import { nameKey, serialKey } from '@kit/contract/checks'
import type { AppliedRow, ApplyRow, ApplyStep } from '@kit/server/excel'
import { addClient } from '../client.queries.ts'
import type { DevicesDb } from '../db.ts'
import { connecting_drivers } from '../model.queries.ts'
import { putDevice } from '../placement.ts'
import { claimSerials } from '../serial.queries.ts'
import { markOf, readImages } from './device.image.ts'
import type { DeviceSnapshot } from './device.judge.ts'
import type { ParsedDevice } from './device.parsed.ts'

type Step = ApplyStep<DevicesDb>

/** Registers and changes devices; new ones are 未激活 until they connect by themselves. */
export async function applyDevices(step: Step, rows: readonly ApplyRow<ParsedDevice>[], snapshot: DeviceSnapshot): Promise<AppliedRow[]> {
  const { db, school_id } = step
  const ids = new Map<number, string>()
  for (const { row_no, parsed, judgement } of rows) {
    if (judgement.verdict === 'new') ids.set(row_no, await addOne(step, parsed, snapshot))
    else if (judgement.target_id !== null) ids.set(row_no, judgement.target_id)
    if (judgement.verdict === 'change' && judgement.target_id !== null) await changeOne(step, judgement.target_id, parsed, snapshot)
  }
  const now = new Map((await readImages(db, school_id, { device_ids: [...ids.values()] })).map(image => [image.device_id, image]))
  return rows.flatMap(({ row_no, parsed, judgement }): AppliedRow[] => {
    const target_id = ids.get(row_no)
    const image = target_id === undefined ? undefined : now.get(target_id)
    if (target_id === undefined || !image) return []
    if (judgement.verdict === 'same') return [{ row_no, target_id, before: null }]
    return [{ row_no, target_id, before: { image: snapshot.devices.get(serialKey(parsed.device_sn)) ?? null }, touched: [{ key: `d:${target_id}`, mark: markOf(image) }] }]
  })
}

/** Registers one. @returns its id */
export async function addOne(step: Step, parsed: ParsedDevice, { places, parents }: DeviceSnapshot): Promise<string> {
  const { db, school_id, now } = step
  const { device_sn, device_name, device_type, model_code, ip, mac, note, direction, driver } = parsed
  const parent_device_id = parsed.parent_sn === null ? null : (parents.get(serialKey(parsed.parent_sn)) ?? null)
  const { device_id } = await db.insertInto('device').values({ school_id, device_sn, device_name, device_type, model_code, parent_device_id, ip, mac, note }).returning('device_id').executeTakeFirstOrThrow()
  await claimSerials(db, school_id, [{ device_id, device_sn }])
  const place = places.get(nameKey(parsed.path))
  if (place) await putDevice(step, { device_id, device_type, from: now }, { place_id: place.place_id, direction })
  // Nobody knows this secret: whoever sets the device up asks for a new one.
  if (connecting_drivers.includes(driver)) await addClient(db, { school_id, device_id }, device_sn)
  return device_id
}

async function changeOne(step: Step, device_id: string, parsed: ParsedDevice, { places, parents, devices }: DeviceSnapshot): Promise<void> {
  const { db, school_id, now } = step
  const { device_sn, device_name, device_type, ip, mac, note, direction, path } = parsed
  const parent_device_id = parsed.parent_sn === null ? null : (parents.get(serialKey(parsed.parent_sn)) ?? null)
  await db.updateTable('device').set(eb => ({ device_name, ip, mac, note, parent_device_id, row_version: eb('row_version', '+', 1), updated_at: now })).where('school_id', '=', school_id).where('device_id', '=', device_id).execute()
  const [before, place] = [devices.get(serialKey(device_sn)), places.get(nameKey(path))]
  if (place && (!before || nameKey(before.node_path_name ?? '') !== nameKey(path) || before.direction !== direction)) await putDevice(step, { device_id, device_type, from: now }, { place_id: place.place_id, direction })
}
