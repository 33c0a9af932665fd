import { shot_every_s } from '@campus/devices/contract'
import type { aiRuleApi, Camera, cameraApi, CameraLive } from '@campus/devices/contract'
import { visiblePlaces } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import type { App, Me, Pre } from '@kit/server/http'
import type { Db } from '../db.ts'
import { tellShot } from '../notice.ts'
import { gatewayAddress, live_seconds, shotAddress } from './address.ts'
import { readCameras } from './camera.queries.ts'
import { claimShot } from './shot.queries.ts'
import { noteView } from './view.queries.ts'

const [second_ms, renew_s, soon_s] = [1000, 50, 2] as const
/** After so long without a word of the page a look is over. */
export const grace_ms = 70 * second_ms

type Seat = { app: App; db: Db; school_id: number; me: Me; now: Date }

/**
 * The way to the live picture of a camera, for a minute and for who asks; every asking goes into the book of looks. It is no read of the school's one transaction:
 * the look is written, though the call is a GET that leaves no line in the operation log every few seconds.
 * @throws Refusal 404 for a camera out of sight
 */
export function watchLive(pre: Pre, { id }: Input<typeof cameraApi.live>): Promise<CameraLive> {
  return look(pre, id, (seat, camera) => (pre.app.config.CAMPUS_MEDIA_GATEWAY === '' ? asShots(seat, camera) : fromGateway(seat, camera)))
}

/** The newest single picture of a camera, whether or not there is a media gateway; written into the book of looks like every look. @throws Refusal 404 for a camera out of sight */
export function lookOnce(pre: Pre, { id }: Input<typeof aiRuleApi.shot>): Promise<CameraLive> {
  return look(pre, id, asShots)
}

async function look({ app, me, now, own }: Pre, id: string, by: (seat: Seat, camera: Camera) => CameraLive | Promise<CameraLive>): Promise<CameraLive> {
  if (!me) throw fail(commonErrors.unauthorized)
  const { school_id } = me
  return own(school_id, async (db: Db) => {
    const seat = { app, db, school_id, me, now }
    const camera = await seenCamera(seat, id)
    const live = await by(seat, camera)
    await noteView(db, { school_id, device_id: id, user_id: me.user_id }, { kind: live.kind, now, grace_ms })
    return live
  })
}

/** A camera in the places of the acting identity. @throws Refusal 404 */
export async function seenCamera({ db, school_id, me, now }: Pick<Seat, 'db' | 'school_id' | 'me' | 'now'>, camera_id: string): Promise<Camera> {
  const [camera] = await readCameras(db, { school_id, now, scope: await visiblePlaces({ db, school_id, me }), device_ids: [camera_id] }, { limit: 1, offset: 0 })
  if (!camera) throw fail(commonErrors.notFound)
  return camera
}

function untilOf(now: Date): { until: number; expires_at: string } {
  const until = Math.floor(now.getTime() / second_ms) + live_seconds
  return { until, expires_at: new Date(until * second_ms).toISOString() }
}

function fromGateway({ app, school_id, me, now }: Seat, { device_id, ...camera }: Camera): CameraLive {
  const { until, expires_at } = untilOf(now)
  const { device_state, last_seen_at, snapshot_at } = camera
  return { camera_id: device_id, kind: 'hls', url: gatewayAddress(app, { school_id, camera_id: device_id }, until), expires_at, snapshot_at, device_state, last_seen_at, again_s: renew_s, viewer: me.user_name }
}

/** The address of the newest picture for one viewer. */
export function pictureOf({ app, school_id, me, now }: Pick<Seat, 'app' | 'school_id' | 'me' | 'now'>, { device_id, snapshot_at }: { device_id: string; snapshot_at: string | null }): string | null {
  return snapshot_at === null ? null : shotAddress(app, { school_id, camera_id: device_id }, { user_id: me.user_id, until: untilOf(now).until, version: Date.parse(snapshot_at) })
}

/** Without a gateway: the newest picture, and a fresh one is asked for when it is old. Nobody is asked while the camera is away: its last picture stays. */
async function asShots(seat: Seat, camera: Camera): Promise<CameraLive> {
  const { db, school_id, me, now } = seat
  const { device_id, device_state, last_seen_at, snapshot_at, nvr_device_id } = camera
  const is_old = snapshot_at === null || now.getTime() - Date.parse(snapshot_at) >= shot_every_s * second_ms
  const is_asked = is_old && device_state === '1' && nvr_device_id !== null
  if (is_asked && (await claimShot(db, { school_id, device_id }, now))) await tellShot({ db, school_id }, { recorder_id: nvr_device_id, camera_id: device_id })
  return { camera_id: device_id, kind: 'snapshot', url: pictureOf(seat, camera), expires_at: untilOf(now).expires_at, snapshot_at, device_state, last_seen_at, again_s: is_asked ? soon_s : shot_every_s, viewer: me.user_name }
}
