import { connect } from 'node:net'
import type { cameraApi } from '@campus/devices/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import type { Db } from '../db.ts'
import { tellShot } from '../notice.ts'
import { openStream } from '../sealed-parts.ts'
import { seenCamera } from './live.service.ts'
import { claimShot } from './shot.queries.ts'

const patience_ms = 5000
const ports: Readonly<Record<string, number>> = { 'rtsp:': 554, 'rtsps:': 322, 'rtmp:': 1935, 'rtmps:': 443, 'http:': 80, 'https:': 443 }

/** Whether a camera can be reached: through its recorder a picture is asked for, else its own address is knocked at. Never tells the address. @throws Refusal 404 */
export async function testCamera({ app, me, now, own, note }: Pre, { camera_id }: Input<typeof cameraApi.test>): Promise<Reply<typeof cameraApi.test>> {
  if (!me) throw fail(commonErrors.unauthorized)
  const { school_id } = me
  const found = await own(school_id, async (db: Db) => {
    const camera = await seenCamera({ db, school_id, me, now }, camera_id)
    const row = await db.selectFrom('camera').select('stream_sealed').where('school_id', '=', school_id).where('device_id', '=', camera_id).executeTakeFirst()
    const { nvr_device_id } = camera
    const is_asked = camera.device_state === '1' && nvr_device_id !== null
    if (is_asked && (await claimShot(db, { school_id, device_id: camera_id }, now))) await tellShot({ db, school_id }, { recorder_id: nvr_device_id, camera_id })
    return { camera, is_asked, sealed: row?.stream_sealed ?? null }
  })
  note({ target_kind: 'devices.camera', target_id: camera_id, target_name: found.camera.device_name })
  if (found.is_asked) return { ok: true, text: `“${found.camera.nvr_name ?? ''}”在线，已请求最新画面` }
  if (found.sealed === null) return { ok: false, text: found.camera.nvr_device_id === null ? '没有录像机，也没有取流地址，请先填写其中一项' : '录像机或摄像机不在线，请检查电源和网络' }
  const { protocol, hostname, port } = new URL(openStream(app.secrets.data_key, school_id, found.sealed))
  const is_open = await knock(hostname, Number(port) || (ports[protocol] ?? 0))
  return is_open ? { ok: true, text: '取流地址可以连接' } : { ok: false, text: '取流地址连接不上，请检查地址、端口和网络' }
}

function knock(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host: host.replace(/^\[|\]$/gu, ''), port })
    const end = (is_open: boolean) => {
      socket.destroy()
      resolve(is_open)
    }
    socket.setTimeout(patience_ms, () => end(false))
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}
