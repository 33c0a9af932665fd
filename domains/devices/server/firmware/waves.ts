import type { UpgradeState } from '@campus/devices/contract'

/** A device of a task as its next step is decided. */
export type Upgrading = { device_id: string; wave: number; state: UpgradeState; online: boolean }
/** What is to be done about a task now. */
export type Step = { start: string[]; wave: number; hold: string | null; is_done: boolean }

const last_wave = 3
const tenth = 0.1
const most_failures = 2
const ended: readonly UpgradeState[] = ['UPDATED', 'FAILED', 'CANCELED']

/** The wave of each device: one, then a tenth, then all; who is there goes first, so that the first wave says something. */
export function assignWaves(devices: readonly { device_id: string; online: boolean }[]): Map<string, number> {
  const second = Math.ceil(devices.length * tenth)
  return new Map(devices.toSorted((a, b) => Number(b.online) - Number(a.online)).map(({ device_id }, at) => [device_id, at === 0 ? 1 : at <= second ? 2 : last_wave]))
}

/**
 * What a task does next (chapter 30 §2.5): a wave that has two failures, or more than a tenth, stops everything; the next one begins when nobody of this one is under way any more and somebody has made it. Who is
 * not there waits without holding up the others. `room`: so many devices may fetch at once.
 */
export function nextStep(wave: number, devices: readonly Upgrading[], room: number): Step {
  const own = devices.filter(device => device.wave === wave)
  const failed = own.filter(device => device.state === 'FAILED').length
  if (failed >= most_failures || failed > own.length * tenth) return { start: [], wave, hold: `第${wave}批${own.length}台中有${failed}台失败`, is_done: false }
  if (devices.every(device => ended.includes(device.state))) return { start: [], wave, hold: null, is_done: true }
  const is_over = own.every(device => ended.includes(device.state) || (device.state === 'QUEUED' && !device.online))
  const has_made_it = own.length === 0 || own.some(device => device.state === 'UPDATED')
  if (is_over && has_made_it && wave < last_wave) return nextStep(wave + 1, devices, room)
  const ready = devices.filter(device => device.wave <= wave && device.state === 'QUEUED' && device.online)
  return { start: ready.slice(0, Math.max(0, room)).map(device => device.device_id), wave, hold: null, is_done: false }
}

/** Whether a time of day lies in a window, which may run over midnight; without one always. */
export function isInWindow(minute: string, from: string | null, to: string | null): boolean {
  if (from === null || to === null) return true
  return from < to ? minute >= from && minute < to : minute >= from || minute < to
}

/** Compares versions number by number, and what is no number as text: below zero, zero, above zero. */
export function compareVersions(a: string, b: string): number {
  const parts = (version: string) => version.toLowerCase().replace(/^v(?=\d)/u, '').split(/[._-]/u)
  const [left, right] = [parts(a), parts(b)]
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [one = '0', other = '0'] = [left[at], right[at]]
    const both_numbers = /^\d+$/u.test(one) && /^\d+$/u.test(other)
    const difference = both_numbers ? Number(one) - Number(other) : one.localeCompare(other)
    if (difference !== 0) return difference
  }
  return 0
}
