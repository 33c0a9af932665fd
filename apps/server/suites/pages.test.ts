import { isDownload } from '@kit/contract'
import type { Call } from '@kit/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { domains } from '../domains.ts'
import { startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'
import { buildCall, makeWorld } from './make-world.ts'
import type { World } from './world.ts'

const Page = z.object({ list: z.array(z.unknown()), total: z.number() })
const Input = z.record(z.string(), z.unknown())
/** Past every list of the world, and before the depth from which growing tables refuse to count. */
const far = 100
const patience_ms = 120_000

let app: TestApp
let world: World
let compared = 0

beforeAll(async () => {
  app = await startTestApp()
  world = await makeWorld(app, test_schools.a)
}, patience_ms)
afterAll(() => app.close())

/** Calls that answer pages by number, with how many rows there are. */
const paged = domains.flatMap(domain => domain.routes).map(route => route.call).filter(call => takesPage(call) && !isDownload(call))

function takesPage({ details: { query, body } }: Call): boolean {
  const schema = query ?? body
  return schema !== undefined && 'shape' in schema && typeof schema.shape === 'object' && schema.shape !== null && 'page_index' in schema.shape
}

test.each(paged.map(call => [call.call, call] as const))('%s knows on a page past the last how many rows there are', async (_name, call) => {
  const { input, token, headers } = await buildCall(call, world)
  const ask = async (page_index: number) => {
    const answer = await app.call(call, { ...Input.parse(input), page_index }, { token: token ?? world.me.token, ...(headers ? { headers } : {}) })
    return answer.status === 200 ? Page.safeParse(answer.body.data).data : undefined
  }
  const first = await ask(1)
  // A list without a total, or one that needs what the world has not.
  if (first === undefined) return
  compared += 1
  const past = await ask(far)
  expect([past?.total, past?.list]).toEqual([first.total, []])
}, patience_ms)

test('most of them were compared', () => expect(compared).toBeGreaterThan(paged.length * 0.8))
