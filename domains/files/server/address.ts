import { createHmac, timingSafeEqual } from 'node:crypto'
import type { App } from '@kit/server/http'

/** How long a signed address works at most (F7). */
const private_seconds = 300
/** Pictures of a school: long enough for a page to be read, and one address for everybody within ten minutes. */
const school_step_s = 600

export type Addressed = { school_id: number; file_key: string; visibility: string }

/**
 * The address under which a page shows a file: plain for everybody's, signed for ten to twenty minutes for the school's own, signed for five
 * and for one viewer only (whose look is logged) for a private one.
 */
export function addressOf(app: App, now: Date, { file_key, visibility }: Addressed, viewer: { user_id: string }): string {
  const seconds = Math.floor(now.getTime() / 1000)
  if (visibility === 'public') return `/material/f/${file_key}`
  if (visibility === 'school') {
    const until = (Math.floor(seconds / school_step_s) + 2) * school_step_s
    return `/material/f/${file_key}?e=${until}&s=${sign(app, file_key, '', until)}`
  }
  const until = seconds + private_seconds
  return `/material/p/${file_key}?u=${viewer.user_id}&e=${until}&s=${sign(app, file_key, viewer.user_id, until)}`
}

/** Is this signature ours, for this file and viewer, and still good? */
export function isSigned(app: App, now: Date, file_key: string, { u = '', e, s }: { u?: string | undefined; e?: string | undefined; s?: string | undefined }): boolean {
  if (e === undefined || s === undefined || !/^\d{1,12}$/.test(e) || Number(e) * 1000 <= now.getTime()) return false
  const wanted = Buffer.from(sign(app, file_key, u, Number(e)))
  const given = Buffer.from(s)
  return wanted.length === given.length && timingSafeEqual(wanted, given)
}

function sign({ secrets }: App, file_key: string, user_id: string, until: number): string {
  return createHmac('sha256', secrets.token_key).update(`files.address\n${file_key}\n${user_id}\n${until}`).digest('base64url')
}
