import { randomBytes } from 'node:crypto'
import type { Pre } from '@kit/server/http'

const name = 'campus_provider'
const seconds = 600

/** The browser a trip was begun in, if it has begun one. */
export function browserOf(pre: Pre): string | undefined {
  return pre.cookies[name] || undefined
}

/** Keeps or makes the cookie that binds trips to this browser; several may be under way in its tabs. */
export function keepBrowser(pre: Pre): string {
  const browser = browserOf(pre) ?? randomBytes(32).toString('base64url')
  pre.setCookie(name, browser, seconds, '/web')
  return browser
}
