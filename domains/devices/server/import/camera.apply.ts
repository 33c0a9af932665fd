import { camera_type } from '@campus/devices/contract'
import { nameKey, serialKey } from '@kit/contract/checks'
import type { AppliedRow, ApplyRow, ApplyStep } from '@kit/server/excel'
import { writeExtras } from '../camera/camera.queries.ts'
import { refuseChannel } from '../camera/channel.ts'
import type { DevicesDb } from '../db.ts'
import { putDevice } from '../placement.ts'
import { sealStream } from '../sealed-parts.ts'
import { markOf, readCameraImages } from './camera.image.ts'
import type { CameraImage } from './camera.image.ts'
import type { CameraSnapshot } from './camera.judge.ts'
import { deviceLine } from './camera.parsed.ts'
import type { ParsedCamera } from './camera.parsed.ts'
import { addOne } from './device.apply.ts'

type Step = ApplyStep<DevicesDb>
const both_ways = 3
export const cameraKey = (device_id: string) => `c:${device_id}`

/** Registers and changes cameras; new ones are 未激活 until their recorder has seen them. */
export async function applyCameras(step: Step, rows: readonly ApplyRow<ParsedCamera>[], snapshot: CameraSnapshot): Promise<AppliedRow[]> {
  const { db, school_id } = step
  const ids = new Map<number, string>()
  for (const { row_no, parsed, judgement } of rows) {
    const known = snapshot.cameras.get(serialKey(parsed.device_sn))
    const device_id = judgement.verdict === 'new' ? await addOne(step, deviceLine(parsed), snapshot) : known?.device_id
    if (device_id === undefined) continue
    ids.set(row_no, device_id)
    if (judgement.verdict === 'change' && known) await changeOne(step, known, parsed, snapshot)
    if (judgement.verdict !== 'same') await writeOwn(step, device_id, { parsed, known }, snapshot)
  }
  const now = new Map((await readCameraImages(db, school_id, { device_ids: [...ids.values()] })).map(image => [image.device_id, image]))
  return rows.flatMap(({ row_no, parsed, judgement }): AppliedRow[] => {
    const image = now.get(ids.get(row_no) ?? '')
    if (!image) return []
    const { device_id: target_id } = image
    if (judgement.verdict === 'same') return [{ row_no, target_id, before: null }]
    return [{ row_no, target_id, before: { image: snapshot.cameras.get(serialKey(parsed.device_sn)) ?? null }, touched: [{ key: cameraKey(target_id), mark: markOf(image) }] }]
  })
}

async function changeOne(step: Step, { device_id, parent_device_id, node_path_name, direction }: CameraImage, { device_name, nvr_sn, path }: ParsedCamera, { parents, places }: CameraSnapshot): Promise<void> {
  const { db, school_id, now } = step
  const above = nvr_sn === null ? parent_device_id : (parents.get(serialKey(nvr_sn)) ?? null)
  await db.updateTable('device').set(eb => ({ device_name, parent_device_id: above, row_version: eb('row_version', '+', 1), updated_at: now })).where('school_id', '=', school_id).where('device_id', '=', device_id).execute()
  const place = places.get(nameKey(path))
  if (place && nameKey(node_path_name ?? '') !== nameKey(path)) await putDevice(step, { device_id, device_type: camera_type, from: now }, { place_id: place.place_id, direction: direction ?? both_ways })
}

/** What only cameras have. @throws Refusal when another camera has come to the channel since */
async function writeOwn({ db, school_id, app }: Step, device_id: string, { parsed, known }: { parsed: ParsedCamera; known: CameraImage | undefined }, { parents }: CameraSnapshot): Promise<void> {
  const { nvr_sn, stream_url } = parsed
  const channel = parsed.channel ?? known?.channel ?? null
  await refuseChannel({ db, school_id }, { device_id, nvr_device_id: nvr_sn === null ? (known?.parent_device_id ?? null) : (parents.get(serialKey(nvr_sn)) ?? null), channel })
  await writeExtras(db, school_id, device_id, { channel, ...(stream_url === null ? {} : { stream_sealed: sealStream(app.secrets.data_key, school_id, stream_url) }) })
}
