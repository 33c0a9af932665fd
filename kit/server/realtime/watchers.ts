import type { Me } from '../http/index.ts'
import { Port } from '../http/index.ts'

/** The session behind a browser's connection. */
export type SessionKey = { school_id: number; session_id: string; user_id: string; role_no: string }
/** `until`: when the ticket ends, in milliseconds of the server's clock. */
export type Admitted = SessionKey & { until: number }

/** What is asked of whoever knows sessions. */
export type Watchers = {
  /** Whose ticket this is; null when it is not good for this client. */
  admit(client_id: string, token: string): Promise<Admitted | null>
  /** The identity of a session as it stands now, without counting as a use of it; null when it is over. */
  identify(session: SessionKey): Promise<Me | null>
  /** The channels a client watches; null when its session has opened so many others since that this one is over. */
  channels(client_id: string): Promise<readonly string[] | null>
  /** Those of these sessions of a school that still live. */
  living(school_id: number, session_ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Something was told that may have changed what is remembered of identities. */
  told(school_id: number, channel: string, rows: readonly Record<string, unknown>[], session_ids: readonly string[]): void
}

/** Filled by identity. */
export const watcherPort = new Port<Watchers>('realtime.watchers')
