import { devicesErrors, recorder_types } from '@campus/devices/contract'
import { serialKey } from '@kit/contract/checks'
import type { Judgement, ParsedRow, ReadStep } from '@kit/server/excel'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, DevicesDb } from '../db.ts'
import { openStream } from '../sealed-parts.ts'
import { readCameraImages } from './camera.image.ts'
import type { CameraImage } from './camera.image.ts'
import { deviceLine } from './camera.parsed.ts'
import type { ParsedCamera } from './camera.parsed.ts'
import { judgeLine, loadDevices } from './device.judge.ts'
import type { DeviceSnapshot } from './device.judge.ts'

const Recorder = z.object({ device_id: z.string(), device_sn: z.string(), device_name: z.string(), device_type: z.string(), limits: z.object({ channels: z.number().int().optional() }).catch({}), taken: z.array(z.object({ sn: z.string(), name: z.string(), channel: z.number() })) })
type Recorder = z.output<typeof Recorder>
/** What the database holds about a piece of the sheet. `streams`: the address a known camera has, opened to be compared, never to be told. */
export type CameraSnapshot = DeviceSnapshot & { cameras: ReadonlyMap<string, CameraImage>; recorders: ReadonlyMap<string, Recorder>; streams: ReadonlyMap<string, string> }

/** The columns of this sheet for those of devices. */
const named: Readonly<Record<string, string>> = { parent_sn: 'nvr_sn', model_code: 'device_sn', device_type: 'device_sn' }

/** Reads it in a few questions, however many lines there are. */
export async function loadCameras(step: ReadStep<DevicesDb>, rows: readonly ParsedRow<ParsedCamera>[]): Promise<CameraSnapshot> {
  const { db, school_id, app } = step
  const devices = await loadDevices(step, rows.map(({ row_no, parsed }) => ({ row_no, parsed: deviceLine(parsed) })))
  const images = await readCameraImages(db, school_id, { device_sns: rows.map(row => row.parsed.device_sn) })
  const above = [...rows.map(row => row.parsed.nvr_sn), ...images.map(image => image.parent_sn)].flatMap(sn => sn ?? [])
  const open = ({ stream }: CameraImage) => (stream === null ? '' : openStream(app.secrets.data_key, school_id, Buffer.from(stream, 'base64')))
  return { ...devices, cameras: new Map(images.map(image => [serialKey(image.device_sn), image])), recorders: await readRecorders(db, school_id, above), streams: new Map(images.map(image => [serialKey(image.device_sn), open(image)])) }
}

async function readRecorders(db: Db, school_id: number, device_sns: readonly string[]): Promise<Map<string, Recorder>> {
  const { rows } = await sql`
    select d.device_id::text as device_id, d.device_sn, d.device_name, d.device_type, m.limits,
      coalesce((select json_agg(json_build_object('sn', k.device_sn, 'name', k.device_name, 'channel', c.channel)) from device k
        join camera c on c.school_id = k.school_id and c.device_id = k.device_id
        where k.school_id = ${school_id} and k.parent_device_id = d.device_id and k.lifecycle <> 'retired' and c.channel is not null), '[]') as taken
    from device d join device_model m on m.model_code = d.model_code
    where d.school_id = ${school_id} and d.lifecycle <> 'retired' and upper(d.device_sn) = any(${[...new Set(device_sns.map(serialKey))]}::text[])`.execute(db)
  return new Map(z.array(Recorder).parse(rows).map(row => [serialKey(row.device_sn), row]))
}

/** What importing a line would do (chapter 30 §6). */
export function judgeCamera({ parsed }: ParsedRow<ParsedCamera>, snapshot: CameraSnapshot): Judgement {
  const known = snapshot.cameras.get(serialKey(parsed.device_sn))
  // A known camera keeps its model, its direction and its notes: the sheet does not know them.
  const line = { ...deviceLine(parsed), ...(known ? { model_code: known.model_code, ip: known.ip, mac: known.mac, note: known.note } : {}) }
  const judged = judgeLine(line, snapshot)
  const errors = [...judged.errors.map(({ prop, msg }) => ({ prop: named[prop] ?? prop, msg })), ...channelFaults(parsed, known, snapshot)]
  if (!known) return { ...judged, errors }
  const own = judged.diff.filter(({ prop }) => prop !== 'direction' && (prop !== 'parent_sn' || parsed.nvr_sn !== null)).map(change => ({ ...change, prop: named[change.prop] ?? change.prop }))
  const channel = parsed.channel === null || parsed.channel === known.channel ? [] : [{ prop: 'channel', before: known.channel === null ? '' : String(known.channel), after: String(parsed.channel) }]
  const is_new_address = parsed.stream_url !== null && parsed.stream_url !== snapshot.streams.get(serialKey(parsed.device_sn))
  const address = is_new_address ? [{ prop: 'stream_url', before: known.stream === null ? '' : '已填写', after: known.stream === null ? '已填写' : '已更换' }] : []
  const diff = [...own, ...channel, ...address]
  return { ...judged, verdict: diff.length > 0 ? 'change' : 'same', diff, errors }
}

/** A channel is one of the recorder's and nobody else's. */
function channelFaults({ device_sn, nvr_sn, channel: asked }: ParsedCamera, known: CameraImage | undefined, { recorders }: CameraSnapshot) {
  const above = nvr_sn ?? known?.parent_sn ?? null
  const channel = asked ?? known?.channel ?? null
  if (above === null) return issue('channel', asked !== null && devicesErrors.cameraChannelAlone.msg)
  const recorder = recorders.get(serialKey(above))
  if (!recorder) return []
  const { channels } = recorder.limits
  const holder = recorder.taken.find(one => one.channel === channel && serialKey(one.sn) !== serialKey(device_sn))
  return [
    ...issue('nvr_sn', !recorder_types.includes(recorder.device_type) && devicesErrors.cameraRecorder.msg),
    ...issue('channel', channel !== null && channels !== undefined && channel > channels && devicesErrors.cameraChannel.msg.replace('{name}', recorder.device_name).replace('{n}', String(channels))),
    ...issue('channel', channel !== null && holder !== undefined && devicesErrors.cameraChannelTaken.msg.replace('{channel}', String(channel)).replace('{name}', holder.name)),
  ]
}

function issue(prop: string, msg: string | false) {
  return msg === false ? [] : [{ prop, msg }]
}
