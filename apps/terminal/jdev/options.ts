import type { ChildCamera } from './camera.ts'

/** How the hardware is: processor and memory in percent, the temperature where it is measured, room on the disk. */
export type Vitals = { cpu: number; mem: number; temp?: number; disk: number }
/** Hardware that nobody measures. */
export const usual_vitals = (): Vitals => ({ cpu: 20, mem: 40, temp: 35, disk: 4000 })
const wave_ms = 600_000
/** Hardware of a fleet, each a little different and a little busier at times: by its serial number and the time. */
export function vitalsOf(sn: string, now_ms: number): Vitals {
  const own = [...sn].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 9973, 7)
  const busy = Math.sin(now_ms / wave_ms + own)
  return { cpu: Math.round(15 + (own % 18) + 5 * busy), mem: 34 + (own % 22), temp: Math.round(34 + (own % 9) + 2 * busy), disk: 2600 + (own % 1800) }
}
export type TerminalOptions = { url: string; sn: string; secret: string; model?: string; prefix?: string; file?: string; /** the cameras below a gateway */ children?: readonly ChildCamera[]; /** where the server's web address is, for pictures that are fetched and brought */ http?: string; vitals?: () => Vitals; /** how long it tries another broker before it goes back to the one before */ fallback_ms?: number }
export type Passed = Record<string, unknown> & { result: number }
/** What others may listen to: what is said on the line, a change of settings, a new power-up, somebody who came. */
export type Happenings = { message: [direction: 'up' | 'down', type: string, body: Record<string, unknown>]; settings: [group: string]; restart: []; shown: [kind: string, code: string, pass: Passed] }

/** What a gateway says of the cameras below it: nothing where it has none. */
export function below(children: readonly ChildCamera[]): { children?: readonly ChildCamera[] } {
  return children.length === 0 ? {} : { children }
}

/** The way out of a terminal. */
export type Line = { send(topic: string, bytes: Buffer): void }

/** Why a row is not taken, in a code and in words; `retry`: it may be later. */
export type Refused = { code: string; text: string; status?: 'retry' }
/** What a terminal can be told to do wrong. */
export type Faults = { /** replies that it swallows */ drop_replies: number; /** keys of rows that it refuses */ refuse: ReadonlyMap<string, Refused>; clock_offset_ms: number; /** it takes no rows but answers nothing at all */ silent: boolean; /** it does not say what it holds */ refuse_reads: boolean; /** it runs on its battery: then no firmware is written */ on_battery: boolean; /** bytes of a package that come through its line in a second; 0: it is no bad line */ line_bytes_s: number }
