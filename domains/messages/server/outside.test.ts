import { randomBytes } from 'node:crypto'
import { dataOf, domains, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { channelApi, messageApi, messageTemplate } from '@campus/messages/contract'
import type { DomainServer } from '@kit/server/http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { messageTemplatePort, send } from './index.ts'
import { nextTime } from './school-time.ts'
import { startSms } from './testing/providers.ts'
import type { SmsProvider } from './testing/providers.ts'

const { a: school_id } = test_schools
const bell = messageTemplate({ code: 'probe.bell', name: '铃声', title: '{place}铃声', body: '{place}将响铃。', fields: { place: 20 }, channels: [3] })
const probe: DomainServer = { name: 'probe', migrations: import.meta.dirname, routes: [], compose: ({ app: node }) => messageTemplatePort.fill(node, bell) }
const sms_channel = 3
const secrets = Object.fromEntries(['TOKEN_KEY', 'DATA_KEY', 'ID_INDEX_KEY', 'SEAL_KEY', 'SM2_KEY'].map(name => [`CAMPUS_SECRET_${name}`, randomBytes(32).toString('hex')]))

let app: TestApp
let sms: SmsProvider
let admin: TestUser
beforeAll(async () => {
  const settings = { ...secrets, CAMPUS_ENV: 'pre', CAMPUS_OUTSIDE_HOSTS: '127.0.0.1', CAMPUS_OUTSIDE_ALLOW: '13900000001', CAMPUS_LOG_LEVEL: 'fatal' }
  ;[app, sms] = await Promise.all([startTestApp({ domains: [...domains, probe], settings }), startSms()])
  app.clock.advance(nextTime(app.clock.now(), '12:00').getTime() - app.clock.now().getTime())
  admin = await app.as({ school_id, codes: ['messages.setting.edit', 'messages.message.view'] })
})
afterAll(() => Promise.all([app.close(), sms.close()]))

async function setUrl(url: string) {
  const { list } = dataOf(channelApi.list, await app.call(channelApi.list, {}, { token: admin.token }))
  const now = list.find(row => row.channel === sms_channel)
  if (!now) throw new Error('no such channel')
  return app.call(channelApi.save, { ...now, adapter: 'sms_http', settings: { url, body: '{"to":"{mobile}"}' }, secret: '' }, { token: admin.token })
}

it('a provider whose host the operator has not listed cannot be set, nor reached through a longer name', async () => {
  for (const url of ['http://169.254.169.254/latest/', 'http://localhost/sms', 'https://127.0.0.1.evil.test/']) {
    const answer = await setUrl(url)
    expect([answer.status, answer.body.msg]).toEqual([422, '该服务地址不在允许外发的名单内，请联系运维人员添加后再保存'])
  }
})

it('pre sends to nobody outside the allow-list: the others are recorded, and said to be', async () => {
  expect((await setUrl(sms.url)).status).toBe(200)
  const to = ['13900000001', '13900000002', '13900000003'].map(mobile => ({ mobile, name: '访客' }))
  const { app: product, database } = app.running
  const id = await database.tenant<unknown, string>(school_id, db => send({ app: product, db, school_id, now: app.clock.now() }, { template: bell, source_ref: 'ring', to, values: { place: '东门' }, level: 1 }))
  const states = async () => dataOf(messageApi.delivery, await app.call(messageApi.delivery, { id }, { token: admin.token })).list.filter(({ channel }) => channel === sms_channel).map(({ state }) => state).toSorted()
  await expect.poll(states).toEqual(['logged', 'logged', 'submitted'])
  expect(sms.heard.map(({ body }) => body)).toEqual(['{"to":"13900000001"}'])
})
