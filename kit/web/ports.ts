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

/** What the kit asks of the product; the console fills it at start, so that the kit knows no domain. */
export type KitPorts = {
  /** one silent renewal of the session; answers the new token */
  refreshToken: () => Promise<string>
  readPreference: (pref_key: string) => Promise<unknown>
  savePreference: (pref_key: string, value: ColumnSetting[]) => Promise<unknown>
  reportError: (report: { route: string; name: string; hash: string; version: string }) => Promise<unknown>
  job: (job_no: string) => Promise<JobView>
  downloadJob: (job_no: string) => Promise<void>
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
