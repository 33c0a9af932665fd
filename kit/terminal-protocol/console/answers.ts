import type { Fault } from './fault.ts'
import type { Settings } from '../jdev/setting-fields.ts'

// What a terminal's console answers under `/api/`; a refusal is `{ faults }` with an honest status.

export type Refusal = { faults: readonly Fault[] }
/** Who the terminal is; told without a session, for the login page. */
export type Greeting = { sn: string; name: string; session: { csrf: string; must_change: boolean } | null }
export type Entered = { csrf: string; must_change: boolean }

/** Somebody who came, as the console and the screen show him. */
export type Shown = { at: string; name: string; way: string; result: number; reason: string }
export type DoorState = { open: boolean; fire: boolean; tamper: boolean; relay: boolean }
export type Vitals = { cpu: number; mem: number; disk_total_mb: number; disk_free_mb: number; temp?: number }

export type Dashboard = {
  counts: { persons: number; cards: number; faces: number; permissions: number }
  capacity: { persons: number; cards: number; faces: number }
  today: { date: string; hours: readonly number[] }
  records_waiting: number
  broker: { online: boolean; address: string }
  clock: { now: string; skew_ms: number }
  vitals: Vitals
  passes: readonly Shown[]
  door: DoorState
}

/** Settings without their secrets; `has_secrets` names those that are set. `trial_seconds`: a change of network that waits for its confirmation. */
export type SettingsAnswer = { settings: Settings; has_secrets: readonly string[]; client_id: string; trial_seconds: number | null }

export const connection_steps = ['dns', 'tcp', 'tls', 'connect', 'subscribe'] as const
export type ConnectionStep = { name: (typeof connection_steps)[number]; state: 'ok' | 'failed' | 'skipped'; ms: number; detail: string }
export type ConnectionTest = { steps: readonly ConnectionStep[] }

export type DeviceInfo = {
  sn: string; model: string; firmware: string; app_version: string; mac: string; started_at: string; uptime_s: number; battery: boolean
  disk_total_mb: number; disk_free_mb: number; capacity: Dashboard['capacity']; records_limit: number; licences: readonly { name: string; version: string; licence: string }[]
}
export type FirmwareDone = { kind: 'jbn' | 'jap'; before: string; after: string }

export type Message = { at: string; direction: 'up' | 'down'; type: string; text: string }
export const log_levels = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof log_levels)[number]
export const part_tests = ['relay', 'beep', 'screen', 'light'] as const
export type PartTest = (typeof part_tests)[number]
/** What was last held to the reader or seen by the camera. */
export type Capture = { card: { at: string; uid: string } | null; face: { at: string; name: string } | null }
export type Debug = { adb: { on: boolean; port: number; seconds: number | null }; messages: readonly Message[]; capture: Capture }
export type Ping = { host: string; tries: readonly { ms: number | null }[] }
export type Names = { host: string; addresses: readonly string[] }

/** What the screen of the terminal shows. */
export type FaceState = {
  sn: string; name: string; now: string; language: 'CN' | 'EN'; brightness: number; volume: number; online: boolean; off: boolean; first_password: string | null; door: DoorState; testing: PartTest | null
  last: Shown | null
}
/** Whom the terminal holds, and by what it knows each. */
export type FacePeople = { people: readonly { user_id: string; name: string; no: string; ways: readonly string[] }[] }
