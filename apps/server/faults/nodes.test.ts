import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loginApi, sessionApi } from '@campus/identity/contract'
import { preferenceApi } from '@campus/school/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataOf, send } from './client.ts'
import type { Answer } from './client.ts'
import { countPupils, look } from './kept-rows.ts'
import { school_id } from './prepared-school.ts'
import { dryRun, pupilSheet, readJob, startApply, untilBatch, untilJob } from './pupil-import.ts'
import type { ServerProcess } from './server-process.ts'
import { enter, login, prepareNodes, refreshCookie } from './two-nodes.ts'
import type { Nodes } from './two-nodes.ts'

const patience_ms = 240_000
const [account, neighbour] = ['guessed', 'neighbour']
const tries = 5
const guesses = 100
const callers = 4
const pupils = 1500
const refused = [422, '用户名或密码错误，连续输错5次将锁定10分钟']

let nodes: Nodes
/** Those that work, the one that was started first in front. */
let alive: ServerProcess[] = []

beforeAll(async () => {
  nodes = await prepareNodes([account, neighbour])
  alive = await Promise.all([nodes.start(0), nodes.start(1)])
}, patience_ms)
afterAll(() => nodes?.close())

const urlOf = (number: number) => alive[number % alive.length]?.url ?? ''
const seen = ({ status, body }: Answer) => [status, body.msg]
const mine = (number: number, token: string) => send(urlOf(number), sessionApi.mine, {}, { token })

describe('one person at two servers', () => {
  test('10-A10 what ends on one ends on the other: sign-out at one, 401 at the other', async () => {
    const { token } = await enter(urlOf(0), neighbour)
    expect((await mine(1, token)).status).toBe(200)
    expect((await send(urlOf(0), sessionApi.logout, {}, { token })).status).toBe(200)
    await expect.poll(async () => (await mine(1, token)).status, { interval: 50 }).toBe(401)
  })

  test('10-A14 a refresh secret is rotated once, whichever server is asked; both answer the twin with the same successor', async () => {
    const { cookie } = await enter(urlOf(0), neighbour)
    const refresh = (number: number, secret: string) => send(urlOf(number), loginApi.refresh, {}, { headers: { cookie: secret } })
    const twins = await Promise.all([0, 1, 0, 1].map(number => refresh(number, cookie)))
    expect(twins.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const [next = '', ...others] = new Set(twins.map(refreshCookie))
    expect([others, next === cookie]).toEqual([[], false])
    const { token } = dataOf(loginApi.refresh, await refresh(1, next))
    expect((await mine(0, token)).status).toBe(200)
  })

  test('10-A4 the right password in the middle of the last tries counts: five wrong ones lock, at two servers alike', async () => {
    expect((await login(urlOf(0), account)).body.code).toBe(600)
    for (let number = 0; number < tries - 1; number += 1) expect(seen(await login(urlOf(number), account, 'Wrong#Pass1'))).toEqual(refused)
    expect((await login(urlOf(1), account)).body.code).toBe(600)
  })

  test('10-A4 of 100 parallel guesses at most five are evaluated, then the right one is refused too; others get in', async () => {
    const answers = await Promise.all(Array.from({ length: guesses }, (_, number) => login(urlOf(number), account, `Wrong#Pass${number}`)))
    expect(new Set(answers.map(answer => JSON.stringify(seen(answer))))).toEqual(new Set([JSON.stringify(refused)]))
    expect(await look(nodes.school.settings, database => database.tenant(0, db => sql`select fails from login_throttle where subject_kind = 'account' and locked_until > now()`.execute(db)).then(({ rows }) => rows))).toEqual([{ fails: tries }])
    for (const number of [0, 1]) expect(seen(await login(urlOf(number), account))).toEqual(refused)
    for (const number of [0, 1]) expect((await login(urlOf(number), neighbour)).body.code).toBe(600)
  })
})

test('10-A25 kill -9 of the one that was applying an import: the other ends it, every row once; whoever is signed in goes on behind nginx', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'campus-nodes-sheet-'))
  const { settings, token } = nodes.school
  const [holder, other] = alive
  if (!holder || !other) throw new Error('two servers are needed')
  const here = { url: holder.url, token }
  const { pupils: before } = await look(settings, database => countPupils(database, school_id, ''))
  const { batch_no } = await dryRun(here, await pupilSheet(folder, pupils))
  await rm(folder, { recursive: true, force: true })
  // The other one sleeps while the work is given out, so that it is known who does it.
  other.signal('SIGSTOP')
  const job_no = await startApply(here, batch_no)
  const { done } = await untilJob(here, job_no, job => job.done > 0)
  other.signal('SIGCONT')
  holder.signal('SIGKILL')
  await holder.ended
  // The lease of the dead runs out, half a minute later in life.
  await look(settings, database => database.owner_exec('update work set lease_until = now() where lease_until > now()'))

  const there = { url: nodes.nginx.url, token }
  for (let time = 0; time < callers; time += 1) expect((await send(there.url, preferenceApi.read, { pref_key: 'quick_navs' }, { token })).status).toBe(200)
  expect(await untilBatch(there, batch_no, ['applied', 'failed'])).toMatchObject({ state: 'applied', rows_applied: pupils, message: null })
  expect((await readJob(there, job_no)).state).toBe('succeeded')
  expect(done).toBeLessThan(pupils)
  const kept = await look(settings, database => countPupils(database, school_id, batch_no))
  expect(kept).toEqual({ pupils: before + pupils, numbers: before + pupils, applied: pupils, targets: pupils, archived: pupils, archived_once: pupils })
}, patience_ms)
