import type { Call } from '@kit/contract'
import { isWebhook, needOf } from '@kit/contract'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { domains } from '../domains.ts'
import { startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'
import { groupCalls } from './groups.ts'
import { buildCall, buildCalls, builders, makeWorld } from './make-world.ts'
import { restingChecksum } from './resting.ts'
import type { World } from './world.ts'

const calls: Call[] = domains.flatMap(domain => domain.routes).map(route => route.call)
const guarded = calls.filter(call => 'need' in call.details || 'session' in call.details)
const needing = calls.filter(call => needOf(call) !== undefined)

/** Everything that the calls name is made first: what comes after must leave it as it is. */
const building_ms = 240_000

let app: TestApp
let world: World
let stranger: string

beforeAll(async () => {
  app = await startTestApp()
  world = await makeWorld(app, test_schools.a)
  stranger = (await app.as({ school_id: test_schools.a, codes: [] })).token
})
afterAll(() => app.close())

test('every registered call has a builder of a valid call, and no builder is left over', () => {
  expect([...builders.keys()].toSorted()).toEqual(calls.map(call => call.call).toSorted())
})

describe.each(guarded.map(call => [call.call, call] as const))('%s', (_name, call) => {
  test('refuses a missing, garbage, expired or foreign token with 401 on every path', async () => {
    for (const path of call.paths) {
      for (const token of [undefined, 'garbage', await forged('expired'), await forged('audience'), await forged('key')]) {
        const answer = await app.call(call, {}, { path: filled(path), ...(token === undefined ? {} : { token }) })
        expect([answer.status, answer.body.code], `${path} with ${token}`).toEqual([401, 401])
      }
    }
  })
})

describe('an identity without the code', () => {
  let built: Awaited<ReturnType<typeof buildCalls>>
  let before: string

  beforeAll(async () => {
    built = await buildCalls(needing, world)
    before = await restingChecksum(app)
  }, building_ms)

  describe.each(groupCalls(needing))('%s', (noun, of_noun) => {
    test.each(of_noun.map(call => [call.call, call] as const))('10-A13 %s answers 无权限查看', async (_name, call) => {
      const { input, file } = built.get(call.call) ?? {}
      const answer = await app.call(call, input, { token: stranger, ...(file ? { file } : {}) })
      expect([answer.status, answer.body.msg]).toEqual([403, '无权限查看'])
    })

    test(`10-A13 no call of ${noun} has changed anything`, async () => {
      expect(await app.checksum()).toBe(before)
    })
  })
})

describe.each(calls.filter(isWebhook).map(call => [call.call, call] as const))('%s', (_name, call) => {
  test('takes no letter without a signature, with another one, or changed on its way, whoever sends it: 401, and nothing changes', async () => {
    const { input, letter = '', headers = {} } = await buildCall(call, world)
    const before = await app.checksum()
    const forgeries = [{ letter }, { letter, headers: reversed(headers) }, { letter: `${letter} `, headers }, { letter: '', headers }]
    for (const forgery of forgeries) {
      const answer = await app.call(call, input, { ...forgery, token: world.me.token })
      expect([answer.status, answer.body.code]).toEqual([401, 401])
    }
    expect(await app.checksum()).toBe(before)
    expect((await app.call(call, input, { letter, headers })).status).toBe(200)
  })
})

function reversed(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [...value].toReversed().join('')]))
}

/** Path parameters that pass the parser; the credential is refused before anything is looked up. */
function filled(path: string): string {
  return path.replace(/:\w+/g, '1')
}

/** A token that looks right but is expired, meant for another audience, or signed with another key. */
async function forged(fault: 'expired' | 'audience' | 'key'): Promise<string> {
  const { token_key } = app.running.app.secrets
  const { user_id, session_id, school_id, role_no } = world.me
  const now = Math.floor(app.clock.now().getTime() / 1000)
  return new SignJWT({ sid: session_id, school_id, role_no })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(user_id)
    .setIssuedAt(now - 7200)
    .setAudience(fault === 'audience' ? 'somebody-else' : 'campus-console')
    .setExpirationTime(fault === 'expired' ? now - 60 : now + 600)
    .sign(fault === 'key' ? Buffer.alloc(32, 7) : token_key)
}
