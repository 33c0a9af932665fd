import { dataOf, startTestApp, test_schools, test_settings } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { brokerApi, deviceApi } from '@campus/devices/contract'
import { familyPrefix } from '@kit/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import recorded from './emqx-requests.json' with { type: 'json' }

const { a: school_id } = test_schools
const own = 'server of the school'
let app: TestApp
let me: TestUser

beforeAll(async () => {
  // Nobody listens there: what is proved are the answers to what EMQX asks.
  app = await startTestApp({ settings: { CAMPUS_MQTT_URL: `mqtt://campus:${encodeURIComponent(own)}@127.0.0.1:1` } })
  me = await app.as({ school_id, codes: ['devices.device.view', 'devices.device.edit'], places: 'all' })
})
afterAll(() => app.close())

/** Sends a request as it was recorded, with the words in braces filled in. */
async function ask(name: keyof typeof recorded, words: Record<string, string> = {}, headers: Record<string, string> = { authorization: `Bearer ${test_settings['CAMPUS_MQTT_HOOK_SECRET'] ?? ''}` }) {
  const { path, headers: sent, body } = recorded[name]
  const text = Object.entries(words).reduce((made, [word, value]) => made.replaceAll(`{${word}}`, value), body)
  const answer = await fetch(`${app.url}${familyPrefix.iot}/${path}`, { method: 'POST', headers: { ...sent, ...headers }, body: text })
  return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.json() }
}

let made = 0
async function aDevice() {
  made += 1
  const draft = { device_sn: `EMQX${made}`, device_name: `钩子${made}`, device_type: '01' as const, model_code: 'JD-F10' }
  const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, { token: me.token }))
  return { device, sn: device.device_sn, secret: setup?.secret ?? '' }
}

describe('31-A2 the hooks of EMQX, with requests as it sends them', () => {
  test('a device comes in with its own secret, in the bare JSON that EMQX reads; a wrong one and a foreign id are denied and written down', async () => {
    const { device, sn, secret } = await aDevice()
    expect(await ask('auth', { sn, secret })).toMatchObject({ status: 200, type: expect.stringContaining('application/json'), body: { result: 'allow', is_superuser: false } })
    expect((await ask('auth', { sn, secret: 'guessed' })).body).toEqual({ result: 'deny', is_superuser: false })
    expect((await ask('auth', { sn: 'OTHER', secret })).body).toEqual({ result: 'deny', is_superuser: false })
    const { links } = dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id: device.device_id }, { token: me.token }))
    expect(links.map(({ kind, client_ip }) => [kind, client_ip])).toEqual([['refused', '10.20.30.40']])
  })

  test('our own server comes in with the password of its address, and no browser does', async () => {
    expect((await ask('auth', { sn: 'campus', secret: own })).body).toEqual({ result: 'allow', is_superuser: true })
    expect((await ask('auth', { sn: 'campus', secret: 'guessed' })).body).toMatchObject({ result: 'deny' })
    expect((await ask('auth', { sn: 'w-1001-AAAAAAAAAAAAAAAAAAAAAA', secret: own })).body).toMatchObject({ result: 'deny' })
  })

  test.each([
    ['publish', 'jdev/EMQX1/up/hello', 'false', 'allow'],
    ['publish', 'jdev/EMQX1/access_device/v2/event/access', 'false', 'allow'],
    ['subscribe', 'jdev/EMQX1/down/#', 'false', 'allow'],
    ['subscribe', 'jdev/EMQX1/access_device/v2/cmd/EMQX1/#', 'false', 'allow'],
    ['publish', 'jdev/EMQX1/up/hello', 'true', 'deny'],
    ['publish', 'jdev/EMQX2/up/hello', 'false', 'deny'],
    ['publish', 'jdev/EMQX1/down/sync', 'false', 'deny'],
    ['subscribe', 'jdev/+/down/#', 'false', 'deny'],
    ['subscribe', '#', 'false', 'deny'],
    ['subscribe', '$SYS/#', 'false', 'deny'],
    ['subscribe', '$share/g/jdev/EMQX2/down/#', 'false', 'deny'],
  ])('%s %s (retained: %s): %s', async (action, topic, retain, result) => {
    expect((await ask('acl', { sn: 'EMQX1', action, topic, retain })).body).toEqual({ result })
  })

  test('whoever is not the broker finds nothing: another secret, none, another address, or no hooks at all', async () => {
    const { sn, secret } = await aDevice()
    const nothing: Record<string, string> = {}
    for (const headers of [nothing, { authorization: 'Bearer guessed' }, { authorization: `Bearer ${me.token}` }]) expect((await ask('auth', { sn, secret }, headers)).status).toBe(404)
    const { config } = app.running.app
    const [allow, kept] = [config.CAMPUS_MQTT_HOOK_ALLOW, config.CAMPUS_MQTT_HOOK_SECRET]
    config.CAMPUS_MQTT_HOOK_ALLOW = '10.9.8.7'
    expect((await ask('auth', { sn, secret })).status).toBe(404)
    config.CAMPUS_MQTT_HOOK_ALLOW = allow
    config.CAMPUS_MQTT_HOOK_SECRET = ''
    expect((await ask('auth', { sn, secret }, { authorization: 'Bearer ' })).status).toBe(404)
    config.CAMPUS_MQTT_HOOK_SECRET = kept
  })

  test('the end of a connection is taken, the word of another one is not that of ours', async () => {
    const { sn } = await aDevice()
    for (const reason of ['tcp_closed', 'takenover']) expect(await ask('disconnected', { sn, reason })).toMatchObject({ status: 200, body: {} })
    expect((await app.call(brokerApi.event, { event: 'client.disconnected', clientid: sn }, { token: me.token })).status).toBe(404)
  })
})
