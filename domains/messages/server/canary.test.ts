import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDesk } from './testing/desk.ts'
import type { MessageDesk } from './testing/desk.ts'
import { startSms } from './testing/providers.ts'
import type { SmsProvider } from './testing/providers.ts'
import { startWeixin } from './testing/wechat.ts'
import type { Provider } from './testing/wechat.ts'

const [chat, sms_channel] = [2, 3]
/** What nobody but the provider's address field may ever see. */
const canary = { mobile: '13912345678', guest: '13787654321', id_no: '110101201403070071', openid: 'oCanaryFollower', sms_secret: 'sms-canary-secret', app_secret: 'app-secret', receipt: 'receipt-canary' }

let desk: MessageDesk
let sms: SmsProvider
let weixin: Provider
const written: string[] = []
const output = process.stdout.write

beforeAll(async () => {
  process.stdout.write = (line: string | Uint8Array) => written.push(String(line)) > 0
  ;[desk, sms, weixin] = await Promise.all([openDesk([2, 3], { CAMPUS_LOG_LEVEL: 'debug' }), startSms(), startWeixin()])
})
afterAll(async () => {
  process.stdout.write = output
  await Promise.all([desk.app.close(), sms.close(), weixin.close()])
})

/** Every row of the school in tables that hold messages or say what happened. */
async function kept(): Promise<string> {
  const tables = ['message', 'message_person', 'message_delivery', 'message_receipt', 'message_channel', 'message_template', 'message_address', 'operation_log', 'outbox', 'outbox_parked', 'work']
  const found = await Promise.all(tables.map(table => desk.app.running.database.tenant<unknown, { rows: { line: string }[] }>(desk.school_id, db => sql<{ line: string }>`select to_jsonb(t)::text as line from ${sql.table(table)} t where school_id = ${desk.school_id}`.execute(db))))
  return found.flatMap(({ rows }) => rows.map(({ line }) => line)).join('\n')
}

it('10-M7 phones, identity numbers and secrets stand in no text, no log and nothing a provider is given but its address field', async () => {
  await desk.setChannel(chat, { adapter: 'weixin_mp', settings: { url: weixin.url, app_id: 'wx1', template_id: 'TPL1' }, secret: canary.app_secret, receipt_secret: canary.receipt })
  await desk.setChannel(sms_channel, { adapter: 'sms_http', settings: { url: sms.url, authorization: 'Key {secret}', body: '{"to":"{mobile}","text":"{title}{text}"}' }, secret: canary.sms_secret })
  const who = await desk.person({ mobile: canary.mobile, bound: ['weixin_mp', `wx1|${canary.openid}`] })
  const words = { place: `${canary.id_no}，电话` }
  const chatted = await desk.ring({ to: [who], values: words })
  await desk.settled(chatted, ['2 submitted - 1'])
  weixin.refuses = 40003
  const fallen = await desk.ring({ to: [who], values: { place: canary.mobile } })
  await desk.settled(fallen, ['2 failed 2 1', '3 submitted - 1'])
  sms.down = true
  const failed = await desk.ring({ to: [{ mobile: canary.guest, name: '访客' }] })
  await desk.settled(failed, ['3 queued 4 1'])

  const given = [...weixin.heard.map(({ body }) => JSON.stringify({ ...body, touser: '' })), ...sms.heard.map(({ body }) => JSON.stringify({ ...JSON.parse(body), to: '' }))].join('\n')
  const addresses = [...weixin.heard.map(({ body }) => body.touser), ...sms.heard.map(({ body }) => JSON.parse(body).to)]
  expect(new Set(addresses)).toEqual(new Set([canary.openid, canary.mobile, canary.guest]))
  const stored = await kept()
  expect(stored).toContain('"template_code": "probe.bell"')
  expect(written.join('')).toContain('message not taken by its provider')
  for (const secret of Object.values(canary)) expect([secret, stored.includes(secret), written.join('').includes(secret), given.includes(secret)]).toEqual([secret, false, false, false])
})
