import { isLogged } from '@kit/contract'
import type { Call } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { domains } from '../domains.ts'
import { startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'
import { buildCall, makeWorld } from './make-world.ts'
import type { World } from './world.ts'

const logged: Call[] = domains.flatMap(domain => domain.routes.map(route => route.call)).filter(isLogged)

let app: TestApp
let world: World

beforeAll(async () => {
  app = await startTestApp()
  world = await makeWorld(app, test_schools.a)
})
afterAll(() => app.close())

describe.each(logged.map(call => [call.call, call] as const))('%s', (_name, call) => {
  test('10-A22 writes exactly one line of the operation log', async () => {
    const built = await buildCall(call, world)
    const before = await countLines(call.call)
    const options = { token: built.token ?? world.me.token, ...(built.file ? { file: built.file } : {}), ...(built.headers ? { headers: built.headers } : {}), ...(built.letter === undefined ? {} : { letter: built.letter }) }
    const answer = await app.call(call, built.input, options)
    const refused_unlogged = answer.status === 404 ? 0 : 1
    expect((await countLines(call.call)) - before).toBe(refused_unlogged)
  })
})

test('no line holds a password, a token or a whole identity number', async () => {
  const text = JSON.stringify(await allLines())
  expect(text).not.toContain(world.me.token)
  expect(text).not.toMatch(/Qw8#rTy2pL|Xk29!pQm7w|Zt51#vRn8c/)
  expect(text).not.toMatch(/\b\d{17}[\dX]\b/)
})

async function allLines(): Promise<unknown[]> {
  const found: unknown[] = []
  for (const school_id of [0, test_schools.a]) {
    const { rows } = await app.running.database.tenant<unknown, { rows: unknown[] }>(school_id, db => sql`select to_jsonb(l) as line from operation_log l where school_id = ${school_id}`.execute(db))
    found.push(...rows)
  }
  return found
}

async function countLines(call: string): Promise<number> {
  let found = 0
  for (const school_id of [0, test_schools.a]) {
    const { rows } = await app.running.database.tenant<unknown, { rows: { n: number }[] }>(school_id, db => sql<{ n: number }>`select count(*)::int as n from operation_log where school_id = ${school_id} and call = ${call}`.execute(db))
    found += rows[0]?.n ?? 0
  }
  return found
}
