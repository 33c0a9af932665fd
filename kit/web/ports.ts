import type { SavedFilter } from './list/saved-filters.ts'
import type { StoreToken } from './upload/store-form.ts'
import type { ChannelFact } from '@kit/contract'
import type { ComponentType } from 'react'

/** A job as the progress bar needs it; `done` never goes back. */
export type JobView = {
  job_no: string
  title: string
  state: 'queued' | 'running' | 'succeeded' | 'partly' | 'failed' | 'cancelled'
  stage: string | null
  total: number
  done: number
  failed: number
  has_result: boolean
  error_msg: string | null
}

/** The import of one template: its button, and the steps it opens. */
export type ImportEntryProps = {
  /** code of the import template */
  template: string
  title: string
  label: string
  /** how the rows are counted: 新增 3 人 */
  unit?: string
  /** a batch has been written, or taken back */
  onApplied: () => void
}

/** What lets this browser connect: its own id and topic, and a token until `expire_at`. */
export type RealtimeTicket = { client_id: string; token: string; expire_at: string; url: string; topic: string; connect_timeout: number }

/** What the kit asks of the product; the console fills it at start, so that the kit knows no domain. */
export type KitPorts = {
  /** one silent renewal of the session; answers the new token */
  refreshToken: () => Promise<string>
  readPreference: (pref_key: string) => Promise<unknown>
  /** keeps the person's own value; null forgets it, so that the school's default shows again */
  savePreference: (pref_key: string, value: ColumnSetting[] | SavedFilter[] | null) => Promise<unknown>
  reportError: (report: { route: string; name: string; hash: string; version: string }) => Promise<unknown>
  job: (job_no: string) => Promise<JobView>
  downloadJob: (job_no: string) => Promise<unknown>
  cancelJob: (job_no: string) => Promise<unknown>
  /** where the progress of one job is told */
  jobChannel: ChannelFact
  realtime: {
    /** a new connection's ticket, or more time for the named one */
    ticket: (client_id?: string) => Promise<RealtimeTicket>
    watch: (client_id: string, channels: readonly string[]) => Promise<void>
    poll: (client_id: string, since: string | undefined) => Promise<{ since: string; frames: readonly unknown[] }>
  }
  /** what the browser needs to put files into the school's store */
  uploadToken: (wish: { purpose: string; kind?: string }) => Promise<StoreToken>
  ImportEntry: ComponentType<ImportEntryProps>
}

/** One line of the column settings (product spec §3): `label_copy` is the label when renamed for display, `default_action` fixes the column. */
export type ColumnSetting = { prop: string; label: string; label_copy?: string; checked: boolean; default_action: boolean }

let ports: KitPorts | undefined

/** Connects the kit to the product; called once before anything renders. */
export function connectKit(given: KitPorts): void {
  ports = given
}

/** The connected ports; throws when the console forgot to connect them. */
export function kitPorts(): KitPorts {
  if (!ports) throw new Error('connectKit was not called')
  return ports
}
