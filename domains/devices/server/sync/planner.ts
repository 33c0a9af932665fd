import { runKept } from '@kit/server/db'
import { sql } from 'kysely'
import { confirmChanges } from '../change/confirm.ts'
import { wakeSenders } from '../notice.ts'
import type { Db } from '../db.ts'
import type { App } from '@kit/server/http'
import type { Sessions } from '../link/sessions.ts'
import { tellCapacity } from '../tell/tell.ts'
import { tellHolds } from '../proof/hold.tell.ts'
import { tellMassHeld } from '../tell/tell-data.ts'
import { followRules } from '../rule/rule.plan.ts'
import { followConfig } from '../config/config.plan.ts'
import { config_alone, dueLater, everything, people_alone, rules_alone } from './due.ts'
import { warnCapacity } from './capacity.ts'
import { askErased } from './erased.ts'
import { planDevices } from './plan.ts'

type Desk = { app: App; db: Db; school_id: number; now: Date }
/** What is due of a device: people, or what stands for more. */
type Taken = { device_id: string; due: string[]; due_at: Date }
/** People who have changed at a device; null: everybody. */
type Asked = { device_id: string; users: string[] | null }
/** Devices in one transaction, those of them of which all rows are read because something has changed, and lines that are looked at to find them. */
const [most_together, most_read, most_lines] = [50, 5, 2000]

/** Derives what is due, school by school and device by device, on whichever node gets to it first. */
export class Planner {
  readonly #sessions: Sessions
  readonly #asked = new Set<number>()
  #busy: Promise<void> = Promise.resolve()
  #is_running = false

  constructor(sessions: Sessions) {
    this.#sessions = sessions
  }

  /** Something is due in a school. */
  wake(school_id: number): void {
    this.#asked.add(school_id)
    if (this.#is_running) return
    this.#is_running = true
    this.#busy = this.#run().finally(() => {
      this.#is_running = false
      if (this.#asked.size > 0) this.wake([...this.#asked][0] ?? school_id)
    })
  }

  /** Waits until nothing is under way. */
  async settled(): Promise<void> {
    while (this.#is_running) await this.#busy
  }

  async #run(): Promise<void> {
    for (const school_id of this.#asked) {
      this.#asked.delete(school_id)
      const run: Run = { failed: [], most: most_together }
      while (await this.#next(school_id, run));
    }
  }

  /** One transaction. Where it fails, devices are derived one by one; one whose rows cannot be derived is left out until the school is woken again: it holds up nobody else. @returns false when nothing waits */
  async #next(school_id: number, run: Run): Promise<boolean> {
    const { app } = this.#sessions
    const under_way: string[] = []
    try {
      return await this.#sessions.tenant(school_id, db => planSome({ app, db, school_id, now: app.clock.now() }, run, under_way))
    } catch (error) {
      const [device_id] = under_way
      app.log.warn({ err: error, school_id, device_id }, 'rows of a device were not derived')
      if (under_way.length === 1 && device_id !== undefined) run.failed.push(device_id)
      run.most = 1
      return under_way.length > 0
    }
  }
}

/** One run over what is due: devices that are left out, and how many are derived together. */
type Run = { failed: string[]; most: number }

/**
 * Derives what waits longest: one device as a whole, or the people who have changed at several.
 * @param under_way is told which devices are derived
 * @returns false when nothing waits
 */
async function planSome(desk: Desk, run: Run, under_way: string[]): Promise<boolean> {
  const { db, school_id } = desk
  under_way.push(...(await nextDevices(db, school_id, run)))
  if (under_way.length === 0) return false
  await lockPlans(db, school_id, under_way)
  const taken = await takeDue(db, school_id, under_way)
  const woken: string[] = []
  const asked: Asked[] = []
  for (const one of taken) {
    const { changed, users } = await followDue(desk, one)
    if (changed > 0) woken.push(one.device_id)
    if (users === null || users.length > 0) asked.push({ device_id: one.device_id, users })
  }
  for (const alike of Map.groupBy(asked, ({ users }) => users?.toSorted().join() ?? everything).values()) woken.push(...(await planPeople(desk, alike.map(one => one.device_id), alike[0]?.users ?? null, taken)))
  if (woken.length > 0) await wakeSenders({ db, school_id }, [...new Set(woken)])
  await confirmChanges(desk, under_way)
  return true
}

function isPerson(due: string): boolean {
  return due !== everything && due !== rules_alone && due !== config_alone && due !== people_alone
}

/** The device that waits longest, and the next ones that are due like it: whole, or for single people. Nothing is locked yet: whoever comes second finds nothing left to do. */
async function nextDevices(db: Db, school_id: number, { failed, most }: Run): Promise<string[]> {
  const { rows } = await runKept(db, 'devices.next_due', sql<{ device_id: string; is_whole: boolean }>`
    select device_id::text as device_id, bool_or(user_id <= 0) as is_whole from (
      select device_id, user_id, due_at from sync_due where school_id = ${school_id} and device_id <> all(${[...failed]}::bigint[]) order by due_at, device_id limit ${most_lines}) due
    group by device_id order by min(due_at), device_id`.compile(db))
  const [first] = rows
  if (!first) return []
  return rows.filter(row => row.is_whole === first.is_whole).slice(0, most).map(row => row.device_id)
}

/** Takes what is due of devices whose plans are locked: nobody else takes lines of theirs. */
async function takeDue(db: Db, school_id: number, device_ids: readonly string[]): Promise<Taken[]> {
  const { rows } = await runKept(db, 'devices.take_due_of', sql<{ device_id: string; user_id: string; due_at: Date }>`
    delete from sync_due where school_id = ${school_id} and device_id = any(${[...device_ids]}::bigint[]) returning device_id::text as device_id, user_id::text as user_id, due_at`.compile(db))
  return [...Map.groupBy(rows, row => row.device_id)].map(([device_id, lines]) => ({ device_id, due: [...new Set(lines.map(line => line.user_id))], due_at: new Date(Math.min(...lines.map(line => line.due_at.getTime()))) }))
}

/** Two nodes that derive one device at once would both decide by what neither has written yet. Several are locked in the order of their numbers, so that nobody waits in a circle. */
export async function lockPlans(db: Db, school_id: number, device_ids: readonly string[]): Promise<void> {
  const names = [...new Set(device_ids)].toSorted((a, b) => Number(BigInt(a) - BigInt(b))).map(device_id => `device plan ${school_id} ${device_id}`)
  await runKept(db, 'devices.lock_plans', sql`select pg_advisory_xact_lock(hashtextextended(n.name, 30)) from unnest(${names}::text[]) with ordinality n(name, at)`.compile(db))
}

/** One of them. */
export function lockPlan(db: Db, school_id: number, device_id: string): Promise<void> {
  return lockPlans(db, school_id, [device_id])
}

/** Derives the settings and the rules of a device when they are due, or everything is. @returns how many rows of these are to be sent, and which people are to be derived */
async function followDue({ db, school_id, now }: Desk, { device_id, due }: Taken): Promise<{ changed: number; users: string[] | null }> {
  const is_whole = due.includes(everything)
  const followed = is_whole || due.includes(rules_alone) ? await followRules(db, { school_id, device_id }, now) : undefined
  const settings = is_whole || due.includes(config_alone) ? await followConfig(db, { school_id, device_id }, now) : 0
  return { changed: settings + (followed?.changed ?? 0), users: is_whole || followed?.is_narrowed || due.includes(people_alone) ? null : due.filter(isPerson) }
}

/** Derives people at devices, or everybody; those at which too much has changed for one transaction are due once more. @returns the devices to which rows are to be sent */
async function planPeople(desk: Desk, device_ids: readonly string[], users: readonly string[] | null, taken: readonly Taken[]): Promise<string[]> {
  const { planned, later, holding } = await planDevices(desk, device_ids, users, most_read)
  await dueLater(desk, taken.filter(one => later.includes(one.device_id)))
  for (const { device_id, left, no_room, max_persons } of planned) {
    await askErased({ ...desk, device_id }, [...new Set(left)])
    if (no_room > 0) await tellCapacity(desk, device_id, max_persons)
  }
  await warnCapacity(desk, planned)
  const held = planned.flatMap(one => (one.held > 0 ? [one.device_id] : []))
  if (held.length > 0) await tellMassHeld(desk, held)
  if (holding.length > 0) await tellHolds(desk, holding)
  return planned.flatMap(({ device_id, pending }) => (pending > 0 ? [device_id] : []))
}
