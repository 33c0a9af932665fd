import { accessErrors } from '@campus/access/contract'
import { fail } from '@kit/contract'
import { sql } from 'kysely'
import type { Db, Step } from '../db.ts'
import type { Facts } from '../decide/facts.ts'
import type { DoorSite } from '../decide/read-facts.ts'
import { readSubjects } from '../decide/read-subjects.ts'
import { rightsOf } from './rights.ts'
import type { Right } from './rights.ts'

/** How many people have the same weeks of times at a place; `weeks` is empty where no times of the week are needed. */
type Held = { place_id: string; direction: number; weeks: string; people: number }
/** What a terminal takes: so many different weeks, and whether it asks the school about whom it does not let through itself. */
type Profile = { max_groups: number; online_check: boolean }
/** A terminal whose rights do not fit. */
type Full = { place_id: string; device_id: string; device_name: string; direction: number; needed: number; most: number }
type Fit = { online: ReadonlySet<string>; full: readonly Full[] }
/** Rights with the classes that are asked about at the swipe; `user_ids` null: everybody's were looked at. */
export type Fitted = Fit & { user_ids: readonly string[] | null; rights: ReadonlyMap<string, Right> }

const both_ways = 3
const week_minutes = 7 * 1440

/** How a class at a place is named in `online`. */
export function classOf({ place_id, weeks }: Pick<Held, 'place_id' | 'weeks'>): string {
  return `${place_id} ${weeks}`
}

/**
 * Who is asked about at the swipe because a terminal holds fewer different weeks than its people have: the classes with the fewest people
 * (ties by name), on terminals that ask (chapter 35 R20). What does not ask is full.
 */
function fit(sites: readonly DoorSite[], profiles: ReadonlyMap<string, Profile>, held: readonly Held[]): Fit {
  const online = new Set<string>()
  const full = new Map<string, Full>()
  const at = Map.groupBy(held.filter(one => one.weeks !== ''), one => one.place_id)
  for (const { place_id, devices } of sites) {
    const classes = (direction: number) => classesOf((at.get(place_id) ?? []).filter(one => meets(one.direction, direction)))
    for (const { device_id, direction } of devices) {
      const most = profiles.get(device_id)?.max_groups ?? Infinity
      for (const weeks of classes(direction).slice(most)) online.add(classOf({ place_id, weeks }))
    }
    for (const { device_id, device_name, direction } of devices) {
      const { max_groups: most = Infinity, online_check = true } = profiles.get(device_id) ?? {}
      const own = classes(direction)
      if (online_check || !own.some(weeks => online.has(classOf({ place_id, weeks })))) continue
      full.set(device_id, { place_id, device_id, device_name, direction, needed: own.length, most })
    }
  }
  return { online, full: [...full.values()] }
}

/** Whether a right of a direction counts at a terminal of another one. */
function meets(right: number, terminal: number): boolean {
  return right === terminal || right === both_ways || terminal === both_ways
}

/** Different weeks, those of most people first. */
function classesOf(held: readonly Held[]): string[] {
  const people = new Map<string, number>()
  for (const one of held) people.set(one.weeks, (people.get(one.weeks) ?? 0) + one.people)
  return [...people].toSorted(([a, of_a], [b, of_b]) => of_b - of_a || (a < b ? -1 : 1)).map(([weeks]) => weeks)
}

function heldOf(rights: ReadonlyMap<string, Right>): Held[] {
  const counted = Map.groupBy(rights.values(), right => `${right.place_id} ${right.direction} ${right.weeks}`)
  return [...counted.values()].flatMap(([first, ...more]) => {
    if (!first) return []
    const { place_id, direction, weeks } = first
    return [{ place_id, direction, weeks, people: more.length + 1 }]
  })
}

type Of = { facts: Facts; sites: readonly DoorSite[]; user_ids: readonly string[] | null; rights: ReadonlyMap<string, Right> }

/**
 * Looks whether every terminal takes these rights beside those of the others; only where one does not, or did not before, the rights of
 * everybody are worked out.
 */
export async function fitRights(step: Omit<Step, 'app'>, { facts, sites, user_ids, rights }: Of): Promise<Fitted> {
  const { db, school_id, now } = step
  const profiles = await readProfiles(db, school_id)
  const others = user_ids === null ? [] : await heldByOthers(db, school_id, user_ids)
  const first = fit(sites, profiles, [...others, ...heldOf(rights)])
  const is_plain = first.online.size === 0 && !others.some(one => one.is_online)
  if (is_plain || user_ids === null) return { ...first, user_ids, rights }
  const all = rightsOf(facts, await readSubjects(db, facts, { school_id, at: now, user_ids: null }), sites, now)
  return { ...fit(sites, profiles, heldOf(all)), user_ids: null, rights: all }
}

async function readProfiles(db: Db, school_id: number): Promise<Map<string, Profile>> {
  const profiles = db.selectFrom('device_profile_v').select(['device_id', 'max_groups', 'online_check'])
  const rows = await profiles.where('school_id', '=', school_id).where('permission_mode', '=', 'dated').execute()
  return new Map(rows.map(({ device_id, ...profile }) => [device_id, profile]))
}

async function heldByOthers(db: Db, school_id: number, user_ids: readonly string[]): Promise<(Held & { is_online: boolean })[]> {
  const { rows } = await sql<Held & { is_online: boolean }>`
    select place_id::text, direction::int, weeks, is_online, count(*)::int as people from access_grant
    where school_id = ${school_id} and not user_id = any(${[...user_ids]}::bigint[])
    group by place_id, direction, weeks, is_online`.execute(db)
  return rows
}

/** @throws Refusal 422 timeGroupsFull, which names the two weeks that are nearest to each other */
export function requireFit({ full: [first], rights }: Fitted): void {
  if (!first) return
  const { place_id, device_name: name, direction, needed: n, most: max } = first
  const here = [...rights.values()].filter(one => one.place_id === place_id && one.weeks !== '' && meets(one.direction, direction))
  const [a, b, k] = nearest([...new Map(here.map(right => [right.weeks, right])).values()])
  throw fail(accessErrors.timeGroupsFull, { params: { name, n, max, a, b, k } })
}

/** The two rights whose weeks differ least, by their times, and by how many minutes of a week. */
function nearest(rights: readonly Right[]): [string, string, number] {
  const weeks = rights.map(right => ({ text: textOf(right), minutes: minutesOf(right) }))
  let best: [string, string, number] = ['', '', Infinity]
  for (const [at, one] of weeks.entries()) {
    for (const other of weeks.slice(at + 1)) {
      const apart = one.minutes.reduce((sum, open, minute) => sum + (open === other.minutes[minute] ? 0 : 1), 0)
      if (apart < best[2]) best = [one.text, other.text, apart]
    }
  }
  return best
}

const weeklyOf = ({ windows }: Right) => Object.entries<string[]>(windows.find(window => window.weekly !== undefined)?.weekly ?? {})

/** 周一 15:00-16:00 */
function textOf(right: Right): string {
  const [[weekday, times] = ['1', []]] = weeklyOf(right)
  return `周${'一二三四五六日'[Number(weekday) - 1] ?? ''} ${times.join('、')}`
}

function minutesOf(right: Right): Uint8Array {
  const open = new Uint8Array(week_minutes)
  const minute = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
  for (const [weekday, times] of weeklyOf(right)) {
    const day = (Number(weekday) - 1) * 1440
    for (const [from = '', to = ''] of times.map(span => span.split('-'))) open.fill(1, day + minute(from), day + minute(to))
  }
  return open
}
