/** Until when the notice is shown, unless a school announces its own day (product spec §9). */
export const DEFAULT_NOTICE_UNTIL = Date.parse('2025-07-01T12:00:00+08:00')

type NoticeFacts = {
  /** server time in ms: a wrong clock of the browser changes nothing */
  now: number
  until: number
  /** login name */
  account: string
  user_id: string
  /** what was stored when the notice was closed last */
  dismissed: string | null
}

/** Whether the password notice is shown: up to its last moment, not to super, once a day and person (product spec §4). */
export function showsNotice({ now, until, account, user_id, dismissed }: NoticeFacts): boolean {
  return now <= until && account !== 'super' && dismissed !== dismissalOf(now, user_id)
}

/** What closing the notice stores: the day in Shanghai and the person. */
export function dismissalOf(now: number, user_id: string): string {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(now)
  return `${day} ${user_id}`
}
