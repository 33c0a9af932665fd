import { dataOf, domains, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { channelApi, inboxApi, kept_secret, messageApi, messageTemplate } from '@campus/messages/contract'
import type { ChannelRow } from '@campus/messages/contract'
import type { DomainServer } from '@kit/server/http'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { messageTemplatePort, send, withdraw } from './index.ts'
import type { NewMessage } from './index.ts'
import { nextTime } from './school-time.ts'
import { startMail, startSms } from './testing/providers.ts'
import type { MailServer, SmsProvider } from './testing/providers.ts'

const { a: school_id } = test_schools
const bell = messageTemplate({ code: 'probe.bell', name: '铃声', title: '{place}铃声', body: '{place}将响铃。', fields: { place: 20 }, channels: [3, 4] })
const probe: DomainServer = { name: 'probe', migrations: import.meta.dirname, routes: [], compose: ({ app: node }) => messageTemplatePort.fill(node, bell) }
const [sms_channel, mail_channel] = [3, 4]
const minute_ms = 60_000

let app: TestApp
let sms: SmsProvider
let mail: MailServer
let made = 0

beforeAll(async () => {
  ;[app, sms, mail] = await Promise.all([startTestApp({ domains: [...domains, probe], settings: { CAMPUS_LOG_LEVEL: 'fatal' } }), startSms(), startMail('bell@school.test', 'mail-secret')])
})
afterAll(() => Promise.all([app.close(), sms.close(), mail.close()]))
beforeEach(async () => {
  clockTo('12:00')
  sms.down = false
  sms.heard.length = 0
  mail.heard.length = 0
  await setChannel(sms_channel, { adapter: 'sms_http', settings: { url: sms.url, authorization: 'Key {secret}', body: '{"to":"{mobile}","text":"{text}"}', ok_text: '"OK"' }, secret: 'sms-secret' })
  await setChannel(mail_channel, { adapter: 'smtp', settings: { host: '127.0.0.1', port: mail.port, secure: false, user: 'bell@school.test', from: 'bell@school.test' }, secret: 'mail-secret' })
})

const clockTo = (time: string) => app.clock.advance(nextTime(app.clock.now(), time).getTime() - app.clock.now().getTime())
const admin = () => app.as({ school_id, codes: ['messages.setting.edit', 'messages.message.view', 'messages.message.retry'] })
async function setChannel(channel: number, draft: Partial<ChannelRow>): Promise<ChannelRow> {
  const { token } = await admin()
  const { list } = dataOf(channelApi.list, await app.call(channelApi.list, {}, { token }))
  const now = list.find(row => row.channel === channel)
  if (!now) throw new Error('no such channel')
  return dataOf(channelApi.save, await app.call(channelApi.save, { ...now, ...draft }, { token }))
}
/** Somebody with a mobile, and an e-mail if asked for. */
async function person(email: string | null = null): Promise<TestUser & { mobile: string }> {
  const user = await app.as({ school_id, codes: [] })
  const mobile = `139${String((made += 1)).padStart(8, '0')}`
  await app.running.database.tenant(school_id, db =>
    sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex, mobile, email) values (${school_id}, ${user.user_id}, '测试', 'ceshi', 'cs', '1', ${mobile}, ${email})`.execute(db))
  return { ...user, mobile }
}
function ring(draft: Partial<NewMessage<'place'>> & Pick<NewMessage<'place'>, 'to'>): Promise<string> {
  const { app: product, database } = app.running
  return database.tenant<unknown, string>(school_id, db =>
    send({ app: product, db, school_id, now: app.clock.now() }, { template: bell, source_ref: `ring${(made += 1)}`, values: { place: '东门' }, level: 1, ...draft }))
}
/** The outside deliveries of a message as `channel state reason attempts`. */
async function outside(message_id: string): Promise<string[]> {
  const { token } = await admin()
  const { list } = dataOf(messageApi.delivery, await app.call(messageApi.delivery, { id: message_id }, { token }))
  return list.filter(({ channel }) => channel > 1).map(({ channel, state, reason, attempts }) => `${channel} ${state} ${reason ?? '-'} ${attempts}`)
}
async function settled(message_id: string, lines: string[]): Promise<void> {
  await expect.poll(() => outside(message_id)).toEqual(lines)
}

it('goes to the mobile the directory knows, with the secret of the channel, and is submitted, never delivered', async () => {
  const who = await person()
  const message_id = await ring({ to: [who], values: { place: '"东"\\门' } })
  await settled(message_id, ['3 submitted - 1'])
  expect(sms.heard.map(({ body, authorization }) => [JSON.parse(body), authorization])).toEqual([[{ to: who.mobile, text: '"东"\\门将响铃。' }, 'Key sms-secret']])
})

it('an address given by the caller is sealed, used, and dropped after seven days', async () => {
  const message_id = await ring({ to: [{ email: 'guest@visit.test', name: '访客' }] })
  await settled(message_id, ['4 submitted - 1'])
  expect(mail.heard).toEqual([{ to: ['guest@visit.test'], text: expect.stringContaining('To: guest@visit.test') }])
  const addresses = () => app.running.database.tenant(school_id, db => sql<{ sealed: string; to_key: string }>`select encode(address_enc, 'escape') as sealed, to_key from message_address where school_id = ${school_id} and message_id = ${message_id}`.execute(db)).then(({ rows }) => rows)
  expect(JSON.stringify(await addresses())).not.toContain('guest')
  app.clock.advance(7 * 24 * 60 * minute_ms + minute_ms)
  await expect.poll(addresses).toEqual([])
})

it('10-M3 at 23:10 level 1 waits for 07:00 outside, the inbox has it at once; level 3 goes', async () => {
  clockTo('23:10')
  const who = await person()
  const calm = await ring({ to: [who] })
  const urgent = await ring({ to: [who], level: 3 })
  await settled(urgent, ['3 submitted - 1'])
  await settled(calm, ['3 deferred - 0'])
  expect(dataOf(inboxApi.count, await app.call(inboxApi.count, {}, { token: who.token }))).toEqual({ unread: 2 })
  clockTo('07:00')
  await settled(calm, ['3 submitted - 1'])
  expect(sms.heard.length).toBe(2)
})

it('10-M4 a provider that is down is tried three times, then the next channel, and the reason is shown', async () => {
  sms.down = true
  const message_id = await ring({ to: [await person('anna@school.test')] })
  await settled(message_id, ['3 queued 4 1'])
  app.clock.advance(minute_ms + 1000)
  await settled(message_id, ['3 queued 4 2'])
  app.clock.advance(5 * minute_ms + 1000)
  await settled(message_id, ['3 failed 4 3', '4 submitted - 1'])
  expect([sms.heard.length, mail.heard.map(({ to }) => to)]).toEqual([3, [['anna@school.test']]])
  sms.down = false
  const { token } = await admin()
  expect(dataOf(messageApi.retry, await app.call(messageApi.retry, { id: message_id }, { token }))).toEqual({ retried: 1 })
  await settled(message_id, ['3 submitted - 1', '4 submitted - 1'])
})

it('10-M5 withdrawn before submission there is no outside request', async () => {
  clockTo('23:10')
  const who = await person()
  const message_id = await ring({ to: [who], source_ref: 'taken-back' })
  await settled(message_id, ['3 deferred - 0'])
  await app.running.database.tenant<unknown, number>(school_id, db => withdraw({ db, school_id, now: app.clock.now() }, 'probe', 'taken-back'))
  clockTo('08:00')
  const after = await ring({ to: [await person()] })
  await settled(after, ['3 submitted - 1'])
  expect(await outside(message_id)).toEqual(['3 withdrawn 7 0'])
  expect(sms.heard.length).toBe(1)
})

it('one that is older than its time is not sent', async () => {
  clockTo('23:10')
  const message_id = await ring({ to: [await person()], expire_at: nextTime(app.clock.now(), '06:00') })
  await settled(message_id, ['3 deferred - 0'])
  clockTo('07:01')
  await settled(message_id, ['3 expired - 0'])
  expect(sms.heard).toEqual([])
})

it('M5 over the limit of a person nothing goes out, the inbox stays, and level 3 passes', async () => {
  await setChannel(sms_channel, { person_day_limit: 1 })
  const who = await person()
  const first = await ring({ to: [who] })
  await settled(first, ['3 submitted - 1'])
  const second = await ring({ to: [who] })
  await settled(second, ['3 skipped 6 0'])
  const urgent = await ring({ to: [who], level: 3 })
  await settled(urgent, ['3 submitted - 1'])
  expect(dataOf(inboxApi.count, await app.call(inboxApi.count, {}, { token: who.token }))).toEqual({ unread: 3 })
  await setChannel(sms_channel, { person_day_limit: 10 })
})

it('M6 of several messages of one batch a person hears outside once', async () => {
  const who = await person()
  const ids = [await ring({ to: [who], batch: 'week12' }), await ring({ to: [who], batch: 'week12' })]
  await settled(ids[0] ?? '', ['3 submitted - 1'])
  const after = await ring({ to: [who] })
  await settled(after, ['3 submitted - 1'])
  expect([await outside(ids[1] ?? ''), sms.heard.length]).toEqual([[], 2])
})

it('M1 a channel without a provider only records, and says so; without an address the next channel is tried', async () => {
  await setChannel(sms_channel, { adapter: 'log', settings: {}, secret: '' })
  const message_id = await ring({ to: [await person()] })
  await settled(message_id, ['3 logged - 0'])
  const stranger = await app.as({ school_id, codes: [] })
  await settled(await ring({ to: [stranger] }), ['3 skipped 2 0', '4 skipped 2 0'])
  expect(sms.heard).toEqual([])
})

it('a secret never comes back, survives a save without it, and goes when it is emptied', async () => {
  const row = await setChannel(sms_channel, { adapter: 'sms_http', settings: { url: sms.url, authorization: 'Key {secret}', body: '{"to":"{mobile}"}' }, secret: 'sms-secret' })
  expect([row.secret, row.is_ready]).toEqual([kept_secret, true])
  await setChannel(sms_channel, { day_limit: 500 })
  await settled(await ring({ to: [await person()] }), ['3 submitted - 1'])
  expect(sms.heard[0]?.authorization).toBe('Key sms-secret')
  expect((await setChannel(sms_channel, { secret: '' })).secret).toBe('')
})
