import { rowHash, schoolMoment } from '@kit/terminal-protocol'
import type { Facts } from '../decide/facts.ts'
import { startOf } from '../decide/read-facts.ts'
import type { DoorSite } from '../decide/read-facts.ts'
import type { Person } from '../decide/read-subjects.ts'
import { Compiler } from '../decide/windows.ts'
import type { Window } from '../decide/windows.ts'

/** A right as devices are given it. */
export type Right = {
  user_id: string
  place_id: string
  direction: 1 | 2 | 3
  windows: Window[]
  /** stands for the windows */
  hash: string
  /** stands for the different times of the week among them; empty where there are none */
  weeks: string
  until: number
}

const months_ahead = 12

/** From the first of this month a year ahead: what is compiled every day is the same until the month turns (R23). */
function horizonOf(now: Date): { from: number; to: number } {
  const first = `${schoolMoment(now).date.slice(0, 7)}-01`
  const year = Number(first.slice(0, 4)) + months_ahead / 12
  return { from: startOf(first), to: startOf(`${year}${first.slice(4)}`) }
}

/** Every right of these people at these doors; a place whose directions are the same is one right. By `user place direction`. */
export function rightsOf(facts: Facts, people: readonly Person[], sites: readonly DoorSite[], now: Date): Map<string, Right> {
  const compiler = new Compiler(facts, horizonOf(now), now.getTime())
  const rights = new Map<string, Right>()
  const hashes = new Map<string, Pick<Right, 'hash' | 'weeks'>>()
  const hashOf = (windows: readonly Window[]) => {
    const text = JSON.stringify(windows)
    const named = hashes.get(text) ?? { hash: rowHash(windows), weeks: weeksOf(windows) }
    hashes.set(text, named)
    return named
  }
  for (const person of people) {
    for (const site of sites) {
      const found = ([1, 2] as const).filter(way => site.devices.some(device => device.direction === way || device.direction === 3)).flatMap(direction => {
        const { windows, until } = compiler.compile(person, site, direction)
        const at = { user_id: person.user_id, place_id: site.place_id, direction }
        return windows.length === 0 ? [] : [{ ...at, windows, ...hashOf(windows), until }]
      })
      const [entering, leaving] = found
      const merged: Right[] = entering && leaving && entering.hash === leaving.hash ? [{ ...entering, direction: 3 }] : found
      for (const right of merged) rights.set(keyOf(right), right)
    }
  }
  return rights
}

/** People with the same different weeks are one class at a door (R18); on which dates each holds does not matter. */
function weeksOf(windows: readonly Window[]): string {
  const weeks = new Set(windows.flatMap(window => (window.weekly === undefined ? [] : [JSON.stringify(window.weekly)])))
  return weeks.size === 0 ? '' : rowHash([...weeks].toSorted())
}

export function keyOf({ user_id, place_id, direction }: { user_id: string; place_id: string; direction: number }): string {
  return `${user_id} ${place_id} ${direction}`
}
