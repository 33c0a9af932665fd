import { preferenceApi } from '@campus/school/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePostgres } from './postgres-cluster.ts'
import type { FaultyPostgres } from './postgres-cluster.ts'
import { prepareSchool } from './prepared-school.ts'
import type { Prepared } from './prepared-school.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'
import { send } from './client.ts'
import type { Answer } from './client.ts'

const patience_ms = 240_000
const back_ms = 10_000
const callers = 12

let postgres: FaultyPostgres
let school: Prepared
let server: ServerProcess

beforeAll(async () => {
  postgres = await makePostgres()
  school = await prepareSchool(postgres.settings)
  server = await startServer(school.settings)
}, patience_ms)

afterAll(async () => {
  await endServer(server)
  await postgres?.remove()
  await school?.remove()
})

function save(value: number): Promise<Answer> {
  return send(server.url, preferenceApi.save, { pref_key: 'recent_apps', value }, { token: school.token })
}

function read(): Promise<Answer> {
  return send(server.url, preferenceApi.read, { pref_key: 'recent_apps' }, { token: school.token })
}

/** Reads and writes without a pause until told to stop; every answer is kept. */
function load() {
  const answers: Answer[] = []
  const stopped = new AbortController()
  const caller = async (number: number) => {
    for (let round = 0; !stopped.signal.aborted; round += 1) answers.push(await (round % 2 === 0 ? save(number) : read()))
  }
  const all = Promise.all(Array.from({ length: callers }, (_, number) => caller(number)))
  const stop = async () => {
    stopped.abort()
    await all
    return answers
  }
  return { answers, stop }
}

test.each(['SIGKILL', 'SIGQUIT'] as const)('the database dies by %s under load: 503 with Retry-After, then everything works again', async how => {
  const { answers, stop } = load()
  await expect.poll(() => answers.filter(answer => answer.status === 200).length, { timeout: 20_000 }).toBeGreaterThan(50)
  await postgres.crash(how)
  const from = answers.length
  await expect.poll(() => answers.slice(from).filter(answer => answer.status === 503).length, { timeout: 30_000 }).toBeGreaterThan(20)
  const ready = await fetch(`${server.url}/readyz`)
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'unavailable', failing: ['database', 'migrations'] }])
  expect((await fetch(`${server.url}/livez`)).status).toBe(200)
  expect((await fetch(`${server.url}/metrics`)).status).toBe(200)

  await postgres.start()
  const restarted = performance.now()
  await expect.poll(async () => (await read()).status, { timeout: back_ms, interval: 50 }).toBe(200)
  process.stdout.write(`${how}: back ${Math.round(performance.now() - restarted)} ms after the database\n`)
  const seen = await stop()
  expect(seen.map(answer => answer.status).filter(status => status !== 200 && status !== 503)).toEqual([])
  for (const answer of seen.filter(one => one.status === 503)) {
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answer.body).toEqual({ code: 503, msg: '系统异常，请稍后重试', data: null, error_id: 'common.busy' })
  }
  expect((await save(7)).status).toBe(200)
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status, { timeout: back_ms }).toBe(200)
  expect(server.said()).not.toMatch(/uncaught|unhandled/i)
}, patience_ms)
