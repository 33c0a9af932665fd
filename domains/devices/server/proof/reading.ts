import { jdevDriver } from '@kit/terminal-protocol'
import type { Cursor, Driver, HeldRow, Page, Reply, Request, RowKind } from '@kit/terminal-protocol'
import { vf105Driver } from '@kit/terminal-protocol/vf105'

const drivers: Readonly<Record<string, Driver>> = { jdev: jdevDriver, vf105: vf105Driver }
/** What every terminal holds, in the order in which it is read. */
const of_people = ['permission', 'person', 'credential'] as const satisfies readonly RowKind[]
/** Of other hardware rules and configuration are not read by row. */
const of_settings: Readonly<Record<string, readonly RowKind[]>> = { jdev: ['rule', 'config'] }
const first: Cursor = { step: 0, page: 0 }
/** A page that does not come so often ends the read-back. */
const most_tries = 3

/** What a read-back has found so far, in rows. */
export type Found = { checked: number; missing: number; different: number; foreign: number }
/** A read-back under way: which one, what is being read and since when. */
export type Reading = { asked_at: string; kind: RowKind; left: readonly RowKind[]; since: Date; cursor: Cursor; pages: Page[]; tries: number; found: Found }

/** Whether devices of a driver can be read back. */
export function canRead(driver: string): boolean {
  return driver in drivers
}

/** Begins with the first kind; what is shown comes last, where the device shows something. */
export function beginReading(driver: string, asked_at: string, { now, shows }: { now: Date; shows: boolean }): Reading {
  const [kind, ...people] = of_people
  const left: RowKind[] = [...people, ...(of_settings[driver] ?? []), ...(shows ? (['content'] as const) : [])]
  return { asked_at, kind, left, since: now, cursor: first, pages: [], tries: 0, found: { checked: 0, missing: 0, different: 0, foreign: 0 } }
}

/** The question for the next page. */
export function pageRequest(driver: string, { kind, cursor }: Reading): Request | undefined {
  const of = drivers[driver]
  return of?.readback(kind, cursor, of.limits(''))
}

/**
 * Takes an answer in; `wanted` is what the device is to hold of this kind. @returns `more`: another page of this kind is to be asked for; `kind`: the kind is read to its end; `failed`: too many answers
 * that are no page
 */
export function takePage(driver: string, reading: Reading, reply: Reply, wanted: readonly HeldRow[]): 'more' | 'kind' | 'failed' {
  const of = drivers[driver]
  const page = of?.page(reading.kind, reading.cursor, reply, of.limits(''), wanted)
  if (!page) return missPage(reading)
  reading.tries = 0
  reading.pages.push(page)
  if (!page.next) return 'kind'
  reading.cursor = page.next
  return 'more'
}

/** An answer has not come. */
export function missPage(reading: Reading): 'more' | 'failed' {
  reading.tries += 1
  return reading.tries >= most_tries ? 'failed' : 'more'
}

/** Goes on with the next kind. @returns false when everything is read */
export function nextKind(reading: Reading, now: Date): boolean {
  const [kind, ...left] = reading.left
  if (kind === undefined) return false
  Object.assign(reading, { kind, left, since: now, cursor: first, pages: [] })
  return true
}

/** What the pages differ in from what is wanted. */
export function driftOf(driver: string, { pages }: Reading, wanted: Parameters<Driver['compare']>[1]): ReturnType<Driver['compare']> {
  return drivers[driver]?.compare(pages, wanted) ?? []
}
