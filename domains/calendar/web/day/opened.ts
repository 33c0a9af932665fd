import type { Special } from '@campus/calendar/contract'

/** Which dialog of the calendar is open. */
export type Opened =
  | { view: 'new'; from: string; to: string }
  | { view: 'edit'; special: Special }
  | { view: 'follow'; date: string; follows_date: string | null }
  | { view: 'national' }
  | null
