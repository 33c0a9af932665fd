import { runKept } from '@kit/server/db'
import { sql } from 'kysely'
import { confirmChanges } from '../change/confirm.ts'
import { wakeSenders } from '../notice.ts'
import type { Db } from '../db.ts'
import type { App } from '@kit/server/http'
import type { Sessions } from '../link/sessions.ts'
import { tellCapacity } from '../tell/tell.ts'
import { followRules } from '../rule/rule.plan.ts'
import { followConfig } from '../config/config.plan.ts'
import { config_alone, everybody, rules_alone } from './due.ts'
import { askErased } from './erased.ts'
import { planDevice } from './plan.ts'

type Desk = { app: App; db: Db; school_id: number; now: Date }
/** What is due of a device: people, or what stands for more. */
type Taken = { device_id: string; users: string[] }
/** Devices in one transaction, where single people have changed. */
const most_together = 8

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
      const failed: string[] = []
      while (await this.#next(school_id, failed));
    }
  }

  /** One transaction. A device whose rows cannot be derived is left out of the next ones until the school is woken again: it holds up nobody else. @returns false when nothing waits */
  async #next(school_id: number, failed: string[]): Promise<boolean> {
    const { app } = this.#sessions
    const under_way: string[] = []
    try {
      return await this.#sessions.tenant(school_id, db => planSome({ app, db, school_id, now: app.clock.now() }, failed, under_way))
    } catch (error) {
      const device_id = under_way.at(-1)
      app.log.warn({ err: error, school_id, device_id }, 'rows of a device were not derived')
      if (device_id !== undefined) failed.push(device_id)
      return device_id !== undefined
    }
  }
}

/**
 * Derives what waits longest: one device as a whole, or the people of some who have changed at several.
 * @param failed devices that are left out
 * @param under_way is told which devices are derived
 * @returns false when nothing waits
 */
async function planSome(desk: Desk, failed: readonly string[], under_way: string[]): Promise<boolean> {
  const { db, school_id } = desk
  const woken: string[] = []
  let last: Taken | undefined
  for (let n = 0; n < most_together && (!last || last.users.every(isPerson)); n += 1) {
    const taken = await takeDue(db, school_id, { behind: last?.device_id ?? '0', failed })
    if (!taken) break
    under_way.push(taken.device_id)
    await lockPlan(db, school_id, taken.device_id)
    if ((await planDue(desk, taken.device_id, taken.users)) > 0) woken.push(taken.device_id)
    last = taken
  }
  if (woken.length > 0) await wakeSenders({ db, school_id }, woken)
  await confirmChanges(desk, under_way)
  return last !== undefined
}

function isPerson(due: string): boolean {
  return due !== everybody && due !== rules_alone && due !== config_alone
}

/** Takes the lines of the device that waits longest of those behind another one; so two nodes that take several never wait for each other. */
async function takeDue(db: Db, school_id: number, { behind, failed }: { behind: string; failed: readonly string[] }): Promise<Taken | undefined> {
  // Lines are deleted by their numbers: joined to those that were taken, all that is due was looked through again for each of them.
  const { rows } = await runKept(db, 'devices.take_due', sql<{ device_id: string; user_id: string }>`
    with first as materialized (select device_id from sync_due where school_id = ${school_id} and device_id > ${behind} and device_id <> all(${[...failed]}::bigint[]) order by due_at, device_id limit 1 for update skip locked),
    taken as materialized (select due_no from sync_due where school_id = ${school_id} and device_id = (select device_id from first) for update skip locked)
    delete from sync_due where school_id = ${school_id} and device_id = (select device_id from first) and due_no = any(array(select due_no from taken))
    returning device_id::text as device_id, user_id::text as user_id`.compile(db))
  const device_id = rows[0]?.device_id
  return device_id === undefined ? undefined : { device_id, users: [...new Set(rows.map(row => row.user_id))] }
}

/** Two nodes that derive one device at once would both decide by what neither has written yet. */
export async function lockPlan(db: Db, school_id: number, device_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`device plan ${school_id} ${device_id}`}, 30))`.execute(db)
}

/** Derives what is due of one device: its settings and its rules when they are due or everything is, then people. @returns how many rows are to be sent */
async function planDue(desk: Desk, device_id: string, due: readonly string[]): Promise<number> {
  const { db, school_id, now } = desk
  const is_whole = due.includes(everybody)
  const followed = is_whole || due.includes(rules_alone) ? await followRules(db, { school_id, device_id }, now) : undefined
  const settings = is_whole || due.includes(config_alone) ? await followConfig(db, { school_id, device_id }, now) : 0
  const told = settings + (followed?.changed ?? 0)
  const users = due.filter(user_id => user_id !== rules_alone && user_id !== config_alone)
  if (users.length === 0 && !followed?.is_narrowed) return told
  const { pending, no_room, max_persons, left } = await planDevice(db, school_id, device_id, is_whole || followed?.is_narrowed ? null : users, now)
  await askErased({ ...desk, device_id }, [...new Set(left)])
  if (no_room > 0) await tellCapacity(desk, device_id, max_persons)
  return told + pending
}
