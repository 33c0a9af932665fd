import type { Pre } from '@kit/server/http'
import type { NewMini } from './session.queries.ts'

const day_s = 86_400
const cookie_path = '/web/sub_app/'
const idle = { own: 30, trusted: 8 * 60 } as const

/** The phone's own entry is the hall (chapter 80 M11); a phone of one's own may stay idle for eight hours. */
export function phoneEntry(is_trusted: boolean): NewMini {
  return { app_code: 'hall', parent_session_id: null, entry: 2, idle_minutes: is_trusted ? idle.trusted : idle.own }
}

/** What a link opens: half an hour idle, never longer than the session it came of. */
export function linkEntry(app_code: string, parent: { session_id: string; is_mini: boolean; until: Date }): NewMini {
  return { app_code, parent_session_id: parent.session_id, entry: parent.is_mini ? 2 : 1, idle_minutes: idle.own, until: parent.until }
}

/** Puts the refresh secret of one sub-application into its own cookie; the console's is another one. */
export function setMiniCookie(pre: Pre, app_code: string, refresh: string): void {
  pre.setCookie(`mini_${app_code}`, refresh, day_s, cookie_path, 'lax')
}

/** Takes it away. */
export function dropMiniCookie(pre: Pre, app_code: string): void {
  pre.setCookie(`mini_${app_code}`, '', 0, cookie_path, 'lax')
}

/** The refresh secret of this request for a sub-application. */
export function miniCookieOf(pre: Pre, app_code: string): string | undefined {
  return pre.cookies[`mini_${app_code}`]
}
