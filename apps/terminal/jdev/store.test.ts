import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { TerminalStore } from './store.ts'
import { Uploads } from './uploads.ts'

const folder = mkdtempSync(join(tmpdir(), 'campus-store-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let made = 0
function aFile(): string {
  made += 1
  return join(folder, `t${made}.json`)
}
const row = (key: string, ver: number, op: 'put' | 'delete' = 'put') => ({ k: 'person' as const, key, op, ver, hash: 'a'.repeat(16), body: { name: key } })
const stateOf = (store: TerminalStore) => ({ id: store.store_id, epoch: store.epoch, lost: store.lost, people: [...store.held('person')], waiting: store.oldest(100) })

/** A terminal with rows and records, some of them with the server. */
function lived(file: string): TerminalStore {
  const store = new TerminalStore(file)
  for (const key of ['1', '2', '3']) store.apply(row(key, Number(key)))
  store.apply(row('2', 4, 'delete'))
  for (const n of [1, 2, 3]) store.record('pass', { n }, '2026-11-20T07:00:00Z')
  store.acknowledge(1)
  return store
}

test('what a terminal has said is kept when its power is cut, whether it was saved or not', () => {
  const file = aFile()
  const before = stateOf(lived(file))
  expect(before.waiting.length).toBe(2)
  expect(stateOf(new TerminalStore(file))).toEqual(before)
})

test('changes after a saving come on top of it, those before are part of it', () => {
  const file = aFile()
  const store = lived(file)
  store.save()
  store.record('pass', { n: 4 }, '2026-11-20T07:00:01Z')
  store.apply(row('9', 5))
  const again = new TerminalStore(file)
  expect(stateOf(again)).toEqual(stateOf(store))
  again.record('pass', { n: 5 }, '2026-11-20T07:00:02Z')
  expect(new TerminalStore(file).oldest(9).map(item => item.seq)).toEqual([2, 3, 4, 5])
})

test('a line that was cut in the middle was told to nobody', () => {
  const file = aFile()
  const store = lived(file)
  appendFileSync(`${file}.log`, '{"record":{"seq":4,"ty')
  expect(stateOf(new TerminalStore(file))).toEqual(stateOf(store))
})

test('after a cut between the saving and the first change the old changes are not made twice', () => {
  const file = aFile()
  const store = lived(file)
  store.save()
  expect(stateOf(new TerminalStore(file))).toEqual(stateOf(store))
})

test('another power-up and a loss of everything are kept at once', () => {
  const file = aFile()
  const store = lived(file)
  store.restart()
  expect(stateOf(new TerminalStore(file))).toEqual(stateOf(store))
  store.wipe()
  expect(stateOf(new TerminalStore(file))).toEqual(stateOf(store))
})

test('31-A18 records that nobody has acknowledged go again at the second heartbeat, and not once they are', () => {
  const store = new TerminalStore()
  const said: unknown[][] = []
  const uploads = new Uploads(store, items => said.push(items))
  store.record('pass', { n: 1 }, '2026-11-20T07:00:00Z')
  uploads.go()
  uploads.beat()
  expect(said).toHaveLength(1)
  uploads.beat()
  expect(said).toEqual([store.oldest(1), store.oldest(1)])
  uploads.acknowledged({ epoch: store.epoch, upto: 1 })
  for (const _ of [1, 2, 3]) uploads.beat()
  expect(said).toHaveLength(2)
})
