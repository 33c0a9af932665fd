import { accessErrors, plan_limits } from '@campus/access/contract'
import type { Planned } from '@campus/access/contract'
import { fail } from '@kit/contract'
import { rowHash, schoolMoment } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { Step } from '../db.ts'
import { decide } from '../decide/decide.ts'
import { boarder, kinds } from '../decide/facts.ts'
import type { Facts, Subject } from '../decide/facts.ts'
import { readFacts, readSites } from '../decide/read-facts.ts'
import type { DoorSite } from '../decide/read-facts.ts'
import { readSubjects } from '../decide/read-subjects.ts'
import type { Person } from '../decide/read-subjects.ts'
import type { Cause } from '../effect/record.ts'
import { derive } from './derive.ts'
import { fitRights, requireFit } from './groups.ts'
import { rightsOf } from './rights.ts'
import type { Right } from './rights.ts'

/** What a change does to the facts; `from`: since when, so that last week can be looked at under it. */
export type Change = (facts: Facts, from: number) => Facts
type Committed = { preview: boolean; plan_hash: string | null }
type Kind = 'gain' | 'lose' | 'change'
type Difference = { user_id: string; place_id: string; kind: Kind }

const [most_sampled, most_replayed, replayed_days, day_ms] = [100, 3000, 7, 86_400_000] as const
const perimeter_out = 2

/**
 * Says what a change would do to `whom` it concerns and, unless it is only asked, lets `write` save it and hands devices what has changed. One change of a school at a time.
 * @returns the plan, and what `write` answered; undefined: nothing was saved
 * @throws Refusal 422 planRequired for a wide change without its plan, timeGroupsFull where a terminal does not take it, 409 planStale when
 * the plan was another one
 */
export async function commit<T>(step: Step, { whom, change, cause }: { whom: readonly string[]; change: Change; cause: Cause }, { preview, plan_hash }: Committed, write: () => Promise<T>): Promise<{ plan: Planned; written: T | undefined }> {
  const { db, school_id } = step
  if (!preview) await sql`select pg_advisory_xact_lock(35, ${school_id}::int)`.execute(db)
  const plan = await planOf(step, whom, change)
  if (preview) return { plan, written: undefined }
  if (plan_hash !== null && plan_hash !== plan.plan_hash) throw fail(accessErrors.planStale)
  if (plan_hash === null && plan.needs_hash) throw fail(accessErrors.planRequired, { params: { n: plan.people.total } })
  const written = await write()
  await derive(step, whom, () => [cause])
  return { plan, written }
}

async function planOf(step: Step, whom: readonly string[], change: Change): Promise<Planned> {
  const { db, school_id, now } = step
  const before = await readFacts(db, school_id, new Date(now.getTime() - replayed_days * day_ms))
  const after = change(before, now.getTime())
  const sites = await readSites(db, school_id)
  const people = await readSubjects(db, after, { school_id, at: now, user_ids: whom })
  const [old_rights, new_rights] = [rightsOf(before, people, sites, now), rightsOf(after, people, sites, now)]
  requireFit(await fitRights(step, { facts: after, sites, user_ids: whom, rights: new_rights }))
  const differences = differencesOf(old_rights, new_rights)
  const by_user = Map.groupBy(differences, one => one.user_id)
  const concerned = people.filter(person => by_user.has(person.user_id))
  const count = (kind: Kind) => [...by_user.values()].filter(own => own.some(one => one.kind === kind)).length
  const touched = new Set(differences.map(one => one.place_id))
  const devices = sites.filter(site => touched.has(site.place_id)).flatMap(site => site.devices)
  const warnings = warningsOf(after, concerned, { sites, rights: new_rights, offline: devices.filter(device => !device.online).length })
  const names = new Map(concerned.map(person => [person.user_id, person.user_name]))
  const places = new Map(sites.map(site => [site.place_id, site.place_name]))
  const needs_hash = by_user.size > plan_limits.people || devices.length > plan_limits.devices || warnings.some(one => ['W1', 'W3'].includes(one.code))
  return {
    plan_hash: hashOf(new_rights, now),
    people: { total: by_user.size, gain: count('gain'), lose: count('lose'), change: count('change') },
    devices: { total: devices.length, offline: devices.filter(device => !device.online).length },
    warnings,
    replay: await replay(step, { before, after: change(before, 0) }, new Map(concerned.map(person => [person.user_id, person])), sites),
    sample: differences.slice(0, most_sampled).map(one => ({ ...one, user_name: names.get(one.user_id) ?? '', place_name: places.get(one.place_id) ?? '' })),
    needs_hash,
  }
}

/** What a plan is known by: every right of whom it concerns as it will be. What begins at the moment of saving begins a little later than at that of the plan. */
function hashOf(rights: ReadonlyMap<string, Right>, now: Date): string {
  const known = new Map<string, string>()
  const textOf = ({ hash, windows }: Right) => {
    const text = known.get(hash) ?? rowHash(windows.map(window => (Date.parse(window.from) <= now.getTime() ? { ...window, from: '' } : window)))
    known.set(hash, text)
    return text
  }
  return rowHash([...rights].map(([key, right]) => `${key} ${textOf(right)}`).toSorted())
}

function differencesOf(before: ReadonlyMap<string, Right>, after: ReadonlyMap<string, Right>): Difference[] {
  const grouped = (rights: ReadonlyMap<string, Right>) => Map.groupBy(rights.values(), right => `${right.user_id} ${right.place_id}`)
  const [old, now] = [grouped(before), grouped(after)]
  const text = (rights: readonly Right[] | undefined) => (rights ?? []).map(right => `${right.direction} ${right.hash}`).join()
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key): Difference[] => {
    const [user_id = '', place_id = ''] = key.split(' ')
    if (text(old.get(key)) === text(now.get(key))) return []
    return [{ user_id, place_id, kind: !old.has(key) ? 'gain' : !now.has(key) ? 'lose' : 'change' }]
  })
}

type Weighed = { sites: readonly DoorSite[]; rights: ReadonlyMap<string, Right>; offline: number }

/** W1 in without out, W2 boarders who cannot come back, W3 out in lesson time, W5 doors that are not here (R57). */
function warningsOf(after: Facts, concerned: readonly Person[], { sites, rights, offline }: Weighed): Planned['warnings'] {
  const gates = new Set(sites.filter(site => site.is_perimeter).map(site => site.place_id))
  const own = Map.groupBy([...rights.values()].filter(right => gates.has(right.place_id)), right => right.user_id)
  const ways = (person: Subject) => new Set((own.get(person.user_id) ?? []).flatMap(right => (right.direction === 3 ? [1, 2] : [right.direction])))
  const pupils = concerned.filter(person => person.person_kind === kinds.student)
  const one_way = concerned.filter(person => ways(person).size === 1 && !after.pickup_grades.has(person.grade ?? ''))
  const locked_out = pupils.filter(person => person.study_method === boarder && !ways(person).has(1))
  const free = pupils.filter(person => (own.get(person.user_id) ?? []).some(right => right.direction !== 1 && right.windows.some(window => window.weekly === undefined && window.max_times === undefined)))
  const lines: [string, number, string][] = [
    ['W1', one_way.length, `${one_way.length}人有进无出或有出无进`],
    ['W2', locked_out.length, `${locked_out.length}名住校生没有返校时段`],
    ['W3', free.length, `${free.length}名学生上课时段可离校`],
    ['W5', offline, `${offline}台设备离线，恢复连接后生效`],
  ]
  return lines.filter(([, n]) => n > 0).map(([code, , text]) => ({ code, text }))
}

/** Last week's passes of the people concerned, decided again: how many more would have been refused, and let in. */
async function replay({ db, school_id, now }: Step, { before, after }: { before: Facts; after: Facts }, people: ReadonlyMap<string, Person>, sites: readonly DoorSite[]): Promise<Planned['replay']> {
  if (people.size === 0) return { passes: 0, denied: 0, allowed: 0 }
  const since = new Date(now.getTime() - replayed_days * day_ms)
  const { rows } = await sql<{ user_id: string; place_id: string; direction: number | null; event_time: Date }>`
    select e.user_id::text, e.place_id::text, e.direction, e.event_time from pass_event_v e
    where e.school_id = ${school_id} and e.event_date between ${schoolMoment(since).date}::date and ${schoolMoment(now).date}::date and e.event_time is not null and e.place_id is not null
      and e.user_id = any(${[...people.keys()]}::bigint[]) order by e.event_time desc limit ${most_replayed}`.execute(db)
  const doors = new Map(sites.map(site => [site.place_id, site]))
  let [denied, allowed] = [0, 0]
  for (const row of rows) {
    const [person, door] = [people.get(row.user_id), doors.get(row.place_id)]
    if (!person || !door) continue
    const way = row.direction === 1 ? 1 : row.direction === perimeter_out ? 2 : 3
    const [was, is] = [before, after].map(facts => decide(facts, person, door, way, row.event_time.getTime()).allowed)
    if (was && !is) denied += 1
    if (!was && is) allowed += 1
  }
  return { passes: rows.length, denied, allowed }
}
