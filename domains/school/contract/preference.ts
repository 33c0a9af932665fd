import { api, Done, get, post } from '@kit/contract'
import { z } from 'zod'

/** Keys a person may save (chapter 10 §1 user_pref). */
export const PreferenceKey = z.string().max(80).regex(/^(columns:\/[A-Za-z/]+|filters:\/[A-Za-z/]+|quick_navs|cus_dashboard|recent_apps|pwd_notice)$/)

export const preferenceApi = api('web', 'school.preference', {
  read: get('user_pref', { query: z.object({ pref_key: PreferenceKey }), reply: z.object({ value: z.json().nullable() }), session: true, within: 'self' }),
  /** all of one kind, e.g. the saved filters of every list */
  list: get('user_pref/list', { query: z.object({ kind: z.enum(['filters']) }), reply: z.object({ list: z.array(z.object({ pref_key: z.string(), value: z.json() })) }), session: true, within: 'self' }),
  save: post('user_pref', { body: z.object({ pref_key: PreferenceKey, value: z.json() }), reply: Done, session: true, within: 'self', op: 4 }),
})
