import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { App } from '@kit/server/http'
import type { Fetched } from './photo.queries.ts'

const lasts_s = 300
/** Keys as they are used: every address is signed once and looked at once, and made into a key each time it would cost more than the signature. */
const keys = new WeakMap<Buffer, KeyObject>()

/** Where a device fetches a photograph: once, within five minutes, and no other one (chapter 31 §3). Without an own address of the server it begins at the root of the one the device reaches it under. */
export function photoAddress(app: App, now: Date, of: Fetched & { school_id: number }): { url: string; exp: string } {
  const e = Math.floor(now.getTime() / 1000) + lasts_s
  const path = `/iot/api/device/photo/${of.school_id}/${of.device_id}/${of.row_key}/${of.ver}?e=${e}&s=${sign(app, of, e)}`
  return { url: app.config.CAMPUS_PUBLIC_URL === undefined ? path : new URL(path, app.config.CAMPUS_PUBLIC_URL).href, exp: new Date(e * 1000).toISOString() }
}

/** Whether such an address is ours and still good. */
export function isPhotoAddress(app: App, now: Date, of: Fetched & { school_id: number }, { e, s }: { e: number; s: string }): boolean {
  const [wanted, given] = [Buffer.from(sign(app, of, e)), Buffer.from(s)]
  return e * 1000 > now.getTime() && wanted.length === given.length && timingSafeEqual(wanted, given)
}

function sign({ secrets }: App, { school_id, device_id, row_key, ver }: Fetched & { school_id: number }, e: number): string {
  const { token_key } = secrets
  const key = keys.get(token_key) ?? createSecretKey(token_key)
  keys.set(token_key, key)
  return createHmac('sha256', key).update(`devices.photo\n${school_id}\n${device_id}\n${row_key}\n${ver}\n${e}`).digest('base64url')
}
