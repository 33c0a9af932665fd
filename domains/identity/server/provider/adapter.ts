import type { ProviderAdapter, ProviderShape } from '@campus/identity/contract'
import type { App } from '@kit/server/http'
import type { Trip } from './trip.ts'

/** One way to sign in of a school, ready to be used: its settings whole, its secret opened. */
export type Line = {
  school_id: number
  shape: ProviderShape
  adapter: ProviderAdapter
  settings: Readonly<Record<string, string>>
  secret: string
  /** where the provider sends people back to */
  callback: string
  /** the provider must tell a mobile number */
  wants_phone: boolean
}

/** With what somebody came back. */
export type Returned = { code: string; state: string }

/** Who a provider says somebody is. `external_id` begins with the realm, so that a changed realm finds nobody. */
export type Vouched = { external_id: string; user_no?: string; phone?: string } | { username: string }

/** What a trip may use. */
export type TripDesk = { app: App; now: Date; device_label: string; trip: Trip }

/**
 * The seam to one kind of provider (chapter 10 §4): the way out, and what becomes of the way back. Both run outside any transaction.
 * @throws ProviderFault
 */
export type Adapter = {
  start(desk: TripDesk, line: Line, state: string): Promise<string>
  exchange(desk: TripDesk, line: Line, returned: Returned): Promise<Vouched>
}

/** An outside id as an administrator may see it. */
export function masked(text: string): string {
  return text.length <= 4 ? `${text.slice(0, 1)}***` : `***${text.slice(-4)}`
}
