type NoticeFacts = {
  /** server time in ms: a wrong clock of the browser changes nothing */
  now: number
  until: number
  is_super: boolean
  user_id: string
  /** what was stored when the notice was closed last */
  dismissed: string | null
}

/** Whether the password notice is shown: up to its last moment, not to super, once a day and person (product spec §4). */
export function showsNotice({ now, until, is_super, user_id, dismissed }: NoticeFacts): boolean {
  return now <= until && !is_super && dismissed !== dismissalOf(now, user_id)
}

/** What closing the notice stores: the day in Shanghai and the person. */
export function dismissalOf(now: number, user_id: string): string {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(now)
  return `${day} ${user_id}`
}
