import { createHmac, timingSafeEqual } from 'node:crypto'
import type { App } from '@kit/server/http'

/** How long the address of a live picture works (chapter 30 rule 24). */
export const live_seconds = 60
/** How long a recorder may take to bring a picture. */
const bring_ms = 30_000

type Of = { school_id: number; camera_id: string }
type Until = { at: number; sign: string }

/** The address under which one viewer sees the newest picture of a camera for a minute; `version` says which picture, so that the same one is not fetched twice. */
export function shotAddress(app: App, { school_id, camera_id }: Of, { user_id, until, version }: { user_id: string; until: number; version: number }): string {
  return `/iot/api/device/camera/shot/${school_id}/${camera_id}?u=${user_id}&e=${until}&s=${sign(app, 'show', `${school_id}\n${camera_id}\n${user_id}\n${until}`)}&v=${version}`
}

export function isShotAddress(app: App, now: Date, { school_id, camera_id }: Of, { u, e, s }: { u: string; e: string; s: string }): boolean {
  return Number(e) * 1000 > now.getTime() && isSame(s, sign(app, 'show', `${school_id}\n${camera_id}\n${u}\n${e}`))
}

/** The address under which a recorder brings one picture, asked for at a moment. */
export function bringAddress(app: App, { school_id, camera_id }: Of, at: number): string {
  return `/iot/api/device/camera/shot/${school_id}/${camera_id}/${at}/${sign(app, 'bring', `${school_id}\n${camera_id}\n${at}`)}`
}

export function isBringAddress(app: App, now: Date, { school_id, camera_id }: Of, { at, sign: given }: Until): boolean {
  return now.getTime() - at <= bring_ms && isSame(given, sign(app, 'bring', `${school_id}\n${camera_id}\n${at}`))
}

/**
 * The address of a stream at the media gateway: `{base}/{school}/{camera}/index.m3u8?exp={s}&sig={hex}`, sig = HMAC-SHA256 of `{school}/{camera}\n{exp}` with the key that both know.
 * Nothing of the camera's own address stands in it.
 */
export function gatewayAddress({ config }: App, { school_id, camera_id }: Of, until: number): string {
  const name = `${school_id}/${camera_id}`
  return `${config.CAMPUS_MEDIA_GATEWAY.replace(/\/$/u, '')}/${name}/index.m3u8?exp=${until}&sig=${createHmac('sha256', config.CAMPUS_MEDIA_KEY).update(`${name}\n${until}`).digest('hex')}`
}

/** Where the newest picture of a camera lies. */
export function shotKey({ school_id, camera_id }: Of): string {
  return `${school_id}/camera/${camera_id}.jpg`
}

function sign({ secrets }: App, what: 'show' | 'bring', text: string): string {
  return createHmac('sha256', secrets.token_key).update(`devices.camera.${what}\n${text}`).digest('base64url')
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)]
  return one.length === other.length && timingSafeEqual(one, other)
}
