import { JdevTerminal, Vf105Terminal } from '@apps/terminal'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cardOf, grantOf, startDevices, subjectOf } from '../testing/start.ts'
import type { DevicesTest } from '../testing/start.ts'
import { declareCredentials, declareGrants, declareSubjects, revoke } from './declare.ts'
import type { Declarer } from './declare.ts'

/** Edits in transactions of so many, of so many people; a device misses some answers and some time. */
const [edits, last_away, together, people, trouble_every, retry_ms] = [2000, 200, 20, 60, 3, 2000]
let d: DevicesTest
beforeAll(async () => {
  d = await startDevices()
})
afterEach(() => d.stopAll())
afterAll(() => d.close())

/** Numbers that look drawn and are the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return sides => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

type Terminal = JdevTerminal | Vf105Terminal
type Door = { terminal: Terminal; device_id: string; place_id: string }

/** One change each of some people, from number `first` on: another name, gone or back, another card, none, a right more or less. */
async function edit(by: Declarer, first: number, roll: (sides: number) => number, places: readonly string[]): Promise<void> {
  const who = Array.from({ length: people }, (_, n) => ({ user_id: String(50_000 + n), lot: roll(1_000_000) })).toSorted((a, b) => a.lot - b.lot).slice(0, together)
  const all = who.map(({ user_id }, at) => ({ n: first + at, user_id, place_id: places[roll(places.length)] ?? '', kind: roll(6) }))
  const of = (kind: number) => all.filter(one => one.kind === kind)
  await declareSubjects(by, [...of(0).map(({ user_id }) => subjectOf(user_id, { live: roll(4) > 0 })), ...of(1).map(({ user_id, n }) => subjectOf(user_id, { user_name: `改名${n}` }))])
  await declareCredentials(by, of(2).map(({ user_id, n }) => cardOf(user_id, { code: `NEW${n}`, version: n })))
  await declareGrants(by, of(3).map(({ user_id, place_id, n }) => grantOf(user_id, place_id, by.now, n)))
  await revoke(by, 'cards', of(4).map(({ user_id }) => `card ${user_id}`))
  await revoke(by, 'access', of(5).map(({ user_id, place_id }) => `grant ${user_id} ${place_id}`))
}

/** A device keeps an answer to itself, then loses its line or its power, then comes back. */
async function trouble({ terminal }: Door, roll: (sides: number) => number): Promise<void> {
  const { faults } = terminal instanceof Vf105Terminal ? terminal.device : terminal
  if (!terminal.is_connected) {
    faults.drop_replies = 0
    return terminal.start()
  }
  if (faults.drop_replies === 0) {
    faults.drop_replies = 1 + roll(2)
    // What it says to be too slow for (100004) it may have done all the same.
    if (terminal instanceof Vf105Terminal) terminal.device.faults.slow = roll(2)
    return
  }
  if (roll(2) === 0 && terminal instanceof JdevTerminal) terminal.store.restart()
  await terminal.stop()
}

/** What a terminal holds in truth, as key and hash. */
function held(terminal: Terminal): string[] {
  const { store } = terminal
  const rows = store instanceof Object && 'held' in store
    ? (['permission', 'person', 'credential'] as const).flatMap(kind => [...store.held(kind)].map(([key, { hash }]) => `${kind} ${key} ${hash}`))
    : [['permission', store.permissions] as const, ['person', store.users] as const, ['credential', store.keys] as const].flatMap(([kind, all]) => [...all].map(([key, { extra }]) => `${kind} ${key} ${String(extra.h)}`))
  return rows.toSorted()
}

/** What it is to hold. */
async function wanted({ device_id }: Door): Promise<string[]> {
  const { rows } = await d.tenant(db => sql<{ row: string }>`select kind || ' ' || row_key || ' ' || want_hash as row from sync_row where school_id = ${d.school_id} and device_id = ${device_id} and want_op = 'put' and kind in ('permission', 'person', 'credential')`.execute(db))
  return rows.map(one => one.row).toSorted()
}

const count = async (query: ReturnType<typeof sql<{ n: number }>>) => (await d.tenant(db => query.execute(db))).rows[0]?.n
const due = () => count(sql`select count(*)::int as n from sync_due where school_id = ${d.school_id}`)
const open = () => count(sql`select count(*)::int as n from sync_row where school_id = ${d.school_id} and state in ('pending', 'sent', 'unknown')`)

/** What went to a terminal of who passes and by what, message by message: deletions or puts. */
function opsOf(terminal: Terminal): string[] {
  const ops = terminal instanceof Vf105Terminal
    ? terminal.device.trace.flatMap(({ action }) => (/^(del|insert)(User|Key)$/u.test(action) ? [action.startsWith('del') ? 'delete' : 'put'] : []))
    : terminal.trace.flatMap(({ rows }) => rows.filter(row => row.k !== 'permission').map(row => row.op))
  return ops.filter((op, at) => op !== ops[at - 1])
}

test('31-A6 31-A8 after 2,000 edits with outages, lost answers and reboots three devices hold what they are to hold, by hash; deletions go before puts, and no command was executed twice', async () => {
  const doors: Door[] = [await d.aGate(), await d.aGate(), await d.aVf105()]
  const places = doors.map(door => door.place_id)
  const roll = dice(31_008)
  const editAll = async (from: number, to: number, after: (step: number) => Promise<void>) => {
    for (let n = from; n <= to; n += together) {
      await d.declare(by => edit(by, n, roll, places))
      await after(Math.floor(n / together))
    }
  }
  await editAll(1, edits - last_away, async step => {
    const door = step % trouble_every === 0 ? doors[roll(doors.length)] : undefined
    if (door) await trouble(door, roll)
  })
  for (const { terminal } of doors) await terminal.stop()
  await editAll(edits - last_away + 1, edits, () => Promise.resolve())
  await expect.poll(due).toBe(0)
  for (const { terminal } of doors) {
    const heard = terminal instanceof Vf105Terminal ? terminal.device : terminal
    heard.faults.drop_replies = 0
    if (terminal instanceof Vf105Terminal) terminal.device.faults.slow = 0
    heard.trace.length = 0
    await terminal.start()
  }
  await expect.poll(async () => {
    // What was put off is due by the clock of the server.
    d.app.clock.advance(retry_ms)
    return [await due(), await open()]
  }, { timeout: 60_000 }).toEqual([0, 0])
  for (const door of doors) {
    expect(held(door.terminal)).toEqual(await wanted(door))
    expect(held(door.terminal).length).toBeGreaterThan(people / 2)
    expect(opsOf(door.terminal)).toEqual(['delete', 'put'])
  }
  expect(doors.flatMap(({ terminal }) => (terminal instanceof Vf105Terminal ? [...terminal.device.executed].filter(([, times]) => times > 1) : []))).toEqual([])
})
