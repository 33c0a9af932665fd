import { randomBytes } from 'node:crypto'
import type { Pre } from '@kit/server/http'

const name = 'campus_device'
const days = 30

/** The device a remembered login is bound to, if this browser has one. */
export function deviceOf(pre: Pre): string | undefined {
  return pre.cookies[name] || undefined
}

/** Keeps or makes the device cookie of this browser; answers its value. */
export function keepDevice(pre: Pre): string {
  const device = deviceOf(pre) ?? randomBytes(32).toString('base64url')
  pre.setCookie(name, device, days * 86_400, '/')
  return device
}
