import { real_clock, Vf105Device, Vf105Store } from '@apps/terminal'
import { codes, ownPrefix, vf105Driver as driver } from '@kit/terminal-protocol/vf105'
import type { Reply, Request, SyncRow } from '@kit/terminal-protocol'
import { describe, expect, test } from 'vitest'
import { deriveRows } from './derive.ts'
import { MemoryBook } from './memory-book.ts'
import { follow, PlayedSchool } from './played-school.ts'
import type { OutRow } from './out-row.ts'
import { isAwaited, loseReply, Memory, nextOfRows, planFace, put, settleBlocked, takeReply } from './vf105.talk.ts'
import type { Whole } from './vf105.talk.ts'

const [commands, edit_every, an_hour_ms] = [10_000, 40, 3_600_000]
/** Of ten answers so many are lost, one of four of those comes late, and so many say 100004. */
const [of_ten, lost, of_lost, slow] = [10, 2, 4, 1]
const [sn, prefix] = ['S1', 'jdev']

/** Numbers that look drawn and are the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return sides => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

/** A virtual device behind a line that loses answers, or brings them late, while it is not calm. */
class Line {
  readonly store = new Vf105Store(sn)
  readonly counts = { lost: 0, slow: 0, late: 0 }
  late: Reply[] = []
  sent = 0
  is_calm = false
  readonly device: Vf105Device
  readonly #roll: (sides: number) => number
  #heard: Reply | undefined

  constructor(roll: (sides: number) => number) {
    this.#roll = roll
    Object.assign(this.store.config.mqtt ?? {}, { prefix: ownPrefix(prefix, sn) })
    this.device = new Vf105Device(sn, this.store, real_clock, { drop: () => undefined, send: (topic, bytes) => {
      const inbound = driver.decode(topic, bytes, { client_id: sn, prefix })
      if (inbound.kind === 'reply') this.#heard = inbound.reply
    } })
  }

  /** @returns the answer, where one comes in time */
  ask(topic: string, bytes: Uint8Array): Reply | undefined {
    this.sent += 1
    const fate = this.is_calm ? of_ten : this.#roll(of_ten)
    if (fate >= lost && fate < lost + slow) this.counts.slow += this.device.faults.slow = 1
    this.device.receive(topic, bytes)
    const reply = this.#heard
    if (fate >= lost || !reply) return reply
    this.counts.lost += 1
    if (this.#roll(of_lost) === 0) this.counts.late += this.late.push(reply) > 0 ? 1 : 0
    return undefined
  }

  /** What it holds in truth, as key and hash. */
  get held(): string[] {
    const { permissions, users, keys } = this.store
    return [...[...permissions].map(([key, { extra }]) => `permission ${key} ${String(extra.h)}`), ...[...users].map(([key, { extra }]) => `person ${key} ${String(extra.h)}`), ...[...keys].map(([key, { extra }]) => `credential ${key} ${String(extra.h)}`)].toSorted()
  }
}

/** Rows whose answer did not come, by version, until they are read; those that were sent once more before are blind. */
function watchRows() {
  const [blind, open]: [string[], Set<string>] = [[], new Set()]
  const settle = (rows: readonly SyncRow[]) => {
    for (const name of names(rows)) open.delete(name)
  }
  const note = ({ action, rows, is_read }: Request, reply: Reply | undefined) => {
    if (!is_read) blind.push(...names(rows).filter(name => open.has(name)).map(name => `${action} ${name}`))
    if (reply && reply.code !== codes.timed_out) settle(rows)
    else if (!is_read) for (const name of names(rows)) open.add(name)
  }
  return { blind, note, settle }
}

function names(rows: readonly SyncRow[]): string[] {
  return rows.map(({ k, key, ver, op }) => `${op} ${k} ${key} ${ver}`)
}

/** The server's side as it stands between its database and its wire. `turn`: one command, settled by its answer or by none; false when there was none. `hear`: an answer that comes late. */
function openServer(book: MemoryBook, line: Line) {
  const [memory, watch] = [new Memory(), watchRows()]
  const take = async (reply: Reply, asked: readonly OutRow[]) => {
    const request = memory.request(reply.re)
    if (request) await takeReply(memory, book, { request, asked }, reply)
  }
  const nextWhole = async (): Promise<Whole | null> => {
    const next = await nextOfRows(memory, book, () => Promise.resolve(null))
    if (!next || !('face' in next)) return next
    const { whole = null, blocked } = planFace(next.face, next.limits, Buffer.from(`\u00ff\u00d8${next.face.photo?.sha256}`, 'latin1'))
    await settleBlocked(memory, book, blocked)
    return whole
  }
  const turn = async (meanwhile: () => void) => {
    const whole = await nextWhole()
    if (!whole) return false
    const { id, topic, bytes } = put(memory, whole.request, { seq: line.sent, epoch: 'e', at: '2026-11-23T00:00:00Z', prefix, client_id: sn })
    const reply = line.ask(topic, bytes)
    watch.note(whole.request, reply)
    meanwhile()
    if (reply) await take(reply, isAwaited({ id }, reply) ? whole.rows : [])
    else await loseReply(book, whole)
    return true
  }
  const hear = async (reply: Reply) => {
    watch.settle(memory.request(reply.re)?.rows ?? [])
    await take(reply, [])
  }
  return { turn, hear, blind: watch.blind }
}

test('31-A6 of 10,000 commands, 20 % of whose answers are lost and 10 % say 100004, none is executed twice and none is sent again before its rows were read; in the end the device holds what it is to hold', async () => {
  const roll = dice(31_006)
  const line = new Line(roll)
  const [school, book] = [new PlayedSchool(), new MemoryBook()]
  const server = openServer(book, line)
  const edit = () => {
    if (line.sent >= commands) return
    school.edit(roll)
    follow(book, school)
  }
  for (let turn = 0; turn < 3 * commands; turn += 1) {
    line.is_calm = line.sent >= commands
    const went = await server.turn(() => (roll(edit_every) === 0 ? edit() : undefined))
    const said = roll(of_lost) === 0 ? line.late.shift() : undefined
    if (said) await server.hear(said)
    if (went) continue
    if (line.is_calm && book.is_done) break
    edit()
    book.now += an_hour_ms
  }
  const { lost: answers_lost, slow: too_slow, late } = line.counts
  expect([line.sent >= commands, answers_lost > 0.19 * commands, too_slow > 0.09 * commands, late > 0.04 * commands]).toEqual([true, true, true, true])
  expect([line.device.executed.size, [...line.device.executed].filter(([, times]) => times > 1)]).toEqual([line.sent, []])
  expect(server.blind).toEqual([])
  const wanted = deriveRows(school.facts).map(row => `${row.kind} ${row.row_key} ${row.hash}`).toSorted()
  expect(wanted.length).toBeGreaterThan(school.pupils.length)
  expect(line.held).toEqual(wanted)
})

describe('31 §5.7.5 a credential that another key holds', () => {
  /** A device with one pupil and his card, at which a key has the card's number already. */
  async function taken(key_id: string) {
    const line = new Line(dice(1))
    line.is_calm = true
    const [school, book] = [new PlayedSchool(), new MemoryBook()]
    const server = openServer(book, line)
    Object.assign(school.pupils[0] ?? {}, { card: { id: '1', code: 'CARD1' } })
    follow(book, school)
    line.store.users.set('local', { userId: 'local', name: 'local', permissionIds: [], extra: {} })
    line.store.keys.set(key_id, { keyId: key_id, userId: 'local', type: '200', code: 'CARD1', extra: {} })
    for (let turn = 0; turn < commands && (await server.turn(() => undefined)); turn += 1);
    return { line, book, row: book.rows.get('credential c1') }
  }

  test('of the school’s own from earlier goes, and the credential comes', async () => {
    const { line, book, row } = await taken('c999999')
    expect([row?.state, line.store.keys.has('c999999'), book.foreigners, book.is_done]).toEqual(['applied', false, [], true])
  })

  test('that somebody has entered at the device stays, stands among the differences, and the credential is refused', async () => {
    const { line, book, row } = await taken('LOCAL1')
    expect([row?.state, line.store.keys.has('LOCAL1'), book.foreigners]).toEqual(['refused', true, ['credential LOCAL1']])
  })
})
