import { sessionApi } from '@campus/identity/contract'
import { studentApi } from '@campus/people/contract'
import type { Call } from '@kit/contract'
import { isWebhook } from '@kit/contract'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { domains } from '../domains.ts'
import { startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'
import { buildCall, builders, makeWorld } from './make-world.ts'
import type { World } from './world.ts'

const calls: Call[] = domains.flatMap(domain => domain.routes).map(route => route.call)
const guarded = calls.filter(call => 'need' in call.details || 'session' in call.details)

let app: TestApp
let world: World

beforeAll(async () => {
  app = await startTestApp()
  world = await makeWorld(app, test_schools.a)
})
afterAll(() => app.close())

test('every registered call has a builder of a valid call, and no builder is left over', () => {
  expect([...builders.keys()].toSorted()).toEqual(calls.map(call => call.call).toSorted())
})

/** What a gate may be shown: nothing, or what looks like a token. */
const shown = [['no token', async () => undefined], ['garbage', async () => 'garbage'], ['an expired token', () => forged('expired')], ['a token of another audience', () => forged('audience')], ['a token of another key', () => forged('key')]] as const

describe.each(guarded.map(call => [call.call, call] as const))('%s', (_name, call) => {
  test('stands behind the gate on every path: without a token or with a forged one 401', async () => {
    for (const path of call.paths) {
      for (const token of [undefined, await forged('key')]) expect(await refused(call, path, token), `${path} with ${token}`).toEqual([401, 401])
    }
  })
})

// One gate of each kind: who is asked for a session, who for a code as well, and who for his own things.
describe.each([sessionApi.logout, sessionApi.mine, studentApi.list].map((call: Call) => [call.call, call] as const))('the gate of %s', (_name, call) => {
  test.each(shown)('refuses %s with 401', async (_shown, make) => {
    expect(await refused(call, call.paths[0] ?? '', await make())).toEqual([401, 401])
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

async function refused(call: Call, path: string, token: string | undefined): Promise<unknown[]> {
  const answer = await app.call(call, {}, { path: filled(path), ...(token === undefined ? {} : { token }) })
  return [answer.status, answer.body.code]
}

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
