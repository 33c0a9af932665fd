import type { RowKind } from '@kit/terminal-protocol'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { JdevTerminal } from '../jdev/terminal.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { openConsole } from './console.ts'
import { Desk } from './desk.ts'
import { openFace } from './face.ts'
import type { Opened } from './pages.ts'

const nowhere = 'mqtt://127.0.0.1:1'
const [minute_ms, hour_ms] = [60_000, 3_600_000]
const Answer = z.looseObject({ faults: z.array(z.looseObject({ code: z.string(), key: z.string().optional(), seconds: z.number().optional() })).optional(), csrf: z.string().optional() })
type Sent = { body?: unknown; raw?: string; csrf?: string; cookie?: string; headers?: Record<string, string> }
const open: { close(): Promise<void> }[] = []
let made = 0

afterEach(() => Promise.all(open.splice(0).map(one => one.close())))

/** A terminal without a broker, and its console. */
async function aDesk() {
  const terminal = new JdevTerminal({ url: nowhere, sn: `C${(made += 1)}`, secret: 'hush-secret' })
  const clock = new ManualClock(Date.parse('2026-11-24T08:00:00Z'))
  const desk = new Desk(terminal, clock)
  const opened = await openConsole(desk, { port: 0 })
  open.push(opened, { close: () => terminal.stop() })
  return { terminal, clock, desk, call: caller(opened) }
}

function caller({ url }: Opened) {
  return async (method: string, path: string, { body, raw, csrf, cookie, headers = {} }: Sent = {}) => {
    const sent = raw !== undefined ? { body: raw, headers: { 'content-type': 'application/octet-stream' } } : body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await fetch(new URL(path, url), { method, ...sent, headers: { ...sent.headers, ...(csrf === undefined ? {} : { 'x-csrf': csrf }), ...(cookie === undefined ? {} : { cookie }), ...headers } })
    const text = await response.text()
    const json = response.headers.get('content-type')?.startsWith('application/json') ? Answer.parse(JSON.parse(text)) : Answer.parse({})
    return { status: response.status, json, text, set_cookie: response.headers.get('set-cookie') ?? '', faults: (json.faults ?? []).map(({ code, key }) => (key === undefined ? code : `${code} ${key}`)) }
  }
}

/** A console whose password has been changed to 2468, and somebody who is signed in at it. */
async function entered() {
  const { desk, call, ...more } = await aDesk()
  desk.changePassword('2468')
  const answer = await call('POST', '/api/login', { body: { password: '2468' } })
  const session = { csrf: answer.json.csrf ?? '', cookie: answer.set_cookie.split(';')[0] ?? '' }
  return { ...more, desk, call, session, as: (method: string, path: string, sent: Sent = {}) => call(method, path, { ...session, ...sent }) }
}

let ver = 0
const put = (terminal: JdevTerminal, k: RowKind, key: string, body: Record<string, unknown>) => terminal.receive(`jdev/${terminal.sn}/down/sync`, Buffer.from(JSON.stringify({ v: 1, id: `m${(ver += 1)}`, seq: ver, epoch: 'server', ts: new Date().toISOString(), type: 'sync.rows', body: { rows: [{ k, key, op: 'put', ver, hash: 'a'.repeat(16), body }] } })))

test('the first start draws a password of eight digits, which opens nothing but its own change', async () => {
  const { desk, call } = await aDesk()
  const drawn = desk.password
  expect(drawn).toMatch(/^\d{8}$/)
  const answer = await call('POST', '/api/login', { body: { password: drawn } })
  expect([answer.status, answer.json]).toMatchObject([200, { must_change: true }])
  const session = { csrf: answer.json.csrf ?? '', cookie: answer.set_cookie.split(';')[0] ?? '' }
  expect((await call('GET', '/api/dashboard', session)).faults).toEqual(['must_change'])
  const change = (body: Record<string, string>) => call('POST', '/api/password', { ...session, body })
  expect((await change({ old: '', password: '1357', confirm: '1357' })).faults).toEqual(['password_empty old'])
  expect((await change({ old: '00', password: '1357', confirm: '1357' })).faults).toEqual(['old_wrong old'])
  expect((await change({ old: drawn, password: '123456789', confirm: '123456789' })).faults).toEqual(['password_long password'])
  expect((await change({ old: drawn, password: '12a4', confirm: '12a4' })).faults).toEqual(['password_digits password'])
  expect((await change({ old: drawn, password: drawn, confirm: drawn })).faults).toEqual(['password_same password'])
  expect((await change({ old: drawn, password: '1357', confirm: '1358' })).faults).toEqual(['password_mismatch confirm'])
  expect((await change({ old: drawn, password: '1357', confirm: '1357' })).status).toBe(200)
  expect((await call('GET', '/api/dashboard', session)).status).toBe(200)
})

test('31-A22 an empty, a wrong and a password of nine digits are refused, each with its own reason', async () => {
  const { call, desk } = await aDesk()
  const wrong = desk.password === '11112222' ? '33334444' : '11112222'
  expect((await call('POST', '/api/login', { body: { password: '' } })).faults).toEqual(['password_empty'])
  expect((await call('POST', '/api/login', { body: { password: '123456789' } })).faults).toEqual(['password_long'])
  expect((await call('POST', '/api/login', { body: { password: wrong } })).faults).toEqual(['password_wrong'])
})

test('five wrong passwords within five minutes shut the door for five, for the right one as well', async () => {
  const { call, desk, clock } = await aDesk()
  desk.changePassword('2468')
  const enter = (password: string) => call('POST', '/api/login', { body: { password } })
  for (let at = 0; at < 4; at += 1) expect((await enter('0000')).faults).toEqual(['password_wrong'])
  expect((await enter('0000')).json.faults).toEqual([{ code: 'locked', seconds: 300 }])
  clock.pass(minute_ms)
  const locked = await enter('2468')
  expect([locked.status, locked.json.faults]).toEqual([429, [{ code: 'locked', seconds: 240 }]])
  clock.pass(4 * minute_ms)
  expect((await enter('2468')).status).toBe(200)
})

test('wrong passwords that are longer apart than five minutes do not add up', async () => {
  const { call, clock, desk } = await aDesk()
  desk.changePassword('2468')
  for (let at = 0; at < 12; at += 1) {
    expect((await call('POST', '/api/login', { body: { password: '0000' } })).faults).toEqual(['password_wrong'])
    clock.pass(2 * minute_ms)
  }
})

test('a session is a cookie that no script reads, for a day, and changes nothing without its word in a header', async () => {
  const { call, as, session, clock } = await entered()
  const again = await call('POST', '/api/login', { body: { password: '2468' } })
  expect(again.set_cookie).toMatch(/^console_C\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=86400$/)
  expect((await call('GET', '/api/dashboard')).status).toBe(401)
  expect((await call('POST', '/api/door/open', { cookie: session.cookie })).faults).toEqual(['csrf'])
  expect((await as('POST', '/api/door/open', { csrf: 'guess' })).faults).toEqual(['csrf'])
  expect((await as('POST', '/api/door/open', { headers: { origin: 'http://evil.example' } })).faults).toEqual(['csrf'])
  expect((await as('POST', '/api/door/open')).status).toBe(200)
  clock.pass(24 * hour_ms)
  expect((await as('GET', '/api/dashboard')).faults).toEqual(['session'])
})

test('31-A23 a session dies when the terminal restarts, and when its own user leaves', async () => {
  const one = await entered()
  expect((await one.as('POST', '/api/restart')).status).toBe(200)
  await expect.poll(async () => (await one.as('GET', '/api/dashboard')).status).toBe(401)
  const other = await entered()
  expect((await other.as('POST', '/api/logout')).status).toBe(200)
  expect((await other.as('GET', '/api/dashboard')).status).toBe(401)
})

test('another password ends all other sessions; one from the server ends them all and opens the door', async () => {
  const { call, as, terminal, desk } = await entered()
  const second = await call('POST', '/api/login', { body: { password: '2468' } })
  const cookie = second.set_cookie.split(';')[0] ?? ''
  expect((await as('POST', '/api/password', { body: { old: '2468', password: '97531', confirm: '97531' } })).status).toBe(200)
  expect([(await as('GET', '/api/info')).status, (await call('GET', '/api/info', { cookie })).status]).toEqual([200, 401])
  put(terminal, 'config', 'password', { group: 'base', values: { password: '83920174' } })
  expect((await as('GET', '/api/info')).status).toBe(401)
  expect([(await call('POST', '/api/login', { body: { password: '83920174' } })).json, desk.password]).toMatchObject([{ must_change: false }, '83920174'])
})

test('31-A22 brightness 0 shuts the screen off, 101 is refused and nothing of its group is kept; secrets are never answered', async () => {
  const { as, desk } = await entered()
  const face = await openFace(desk, { port: 0 })
  open.push(face)
  const screen = async () => z.looseObject({ brightness: z.number(), volume: z.number() }).parse(JSON.parse((await caller(face)('GET', '/api/face')).text))
  expect((await as('PUT', '/api/settings/base', { body: { values: { brightness: 0, volume: 3 } } })).status).toBe(200)
  expect(await screen()).toMatchObject({ brightness: 0, volume: 3 })
  expect((await as('PUT', '/api/settings/base', { body: { values: { brightness: 101, volume: 9 } } })).json.faults).toEqual([{ code: 'range', key: 'base.brightness', least: 0, most: 100 }])
  expect(await screen()).toMatchObject({ brightness: 0, volume: 3 })
  expect((await as('PUT', '/api/settings/base', { body: { values: { password: '1' } } })).faults).toEqual(['unknown base.password'])
  expect((await as('PUT', '/api/settings/mqtt', { body: { values: { secret: 'new-hush' } } })).json).toMatchObject({ has_secrets: ['mqtt.secret'] })
  expect((await as('GET', '/api/settings')).text).not.toMatch(/hush|2468/)
})

test('31-A22 broken port mappings and addresses are refused by the terminal as by its page', async () => {
  const { as, terminal } = await entered()
  const map = (mappings: string[]) => as('PUT', '/api/settings/net', { body: { values: { mappings } } })
  for (const rows of [['80-8080'], ['0:80'], ['70000:80'], ['80:8080', '80:9090']]) expect((await map(rows)).faults).toEqual(['mapping net.mappings'])
  expect((await map(['8080:80', '9090:90'])).status).toBe(200)
  expect(terminal.store.own('net.mappings')).toEqual(['8080:80', '9090:90'])
  expect((await as('PUT', '/api/network', { body: { values: { dhcp: 1, ip: '300.1.1.1', mask: '255.255.255.0', gateway: '10.0.0.1' } } })).faults).toEqual(['address net.ip'])
  expect((await as('PUT', '/api/settings/net', { body: { values: { ip: '10.0.0.2' } } })).faults).toEqual(['unknown net'])
})

test('a change of network holds for a minute and falls back, unless somebody says that he can still see the page', async () => {
  const { as, clock, terminal } = await entered()
  const values = { dhcp: 1, ip: '10.0.0.2', mask: '255.255.255.0', gateway: '10.0.0.1' }
  expect((await as('PUT', '/api/network', { body: { values } })).json).toMatchObject({ trial_seconds: 60, settings: { net: { ip: '10.0.0.2' } } })
  clock.pass(minute_ms)
  expect((await as('GET', '/api/settings')).json).toMatchObject({ trial_seconds: null, settings: { net: { ip: '', dhcp: 2 } } })
  await as('PUT', '/api/network', { body: { values } })
  expect((await as('POST', '/api/network/confirm')).json).toMatchObject({ trial_seconds: null, settings: { net: { ip: '10.0.0.2' } } })
  clock.pass(minute_ms)
  expect(terminal.store.own('net.ip')).toBe('10.0.0.2')
})

test('31-A22 firmware.bin is refused, so is what is no package and any on battery; a package is what runs after the restart', async () => {
  const { as, terminal } = await entered()
  const send = (name: string, raw: string) => as('POST', `/api/firmware?name=${name}`, { raw })
  expect((await send('firmware.bin', 'jbn 2.0.0\n')).faults).toEqual(['firmware_name'])
  expect((await send('a.jbn', 'PK..')).faults).toEqual(['firmware_broken'])
  expect((await send('a.jap', 'jbn 2.0.0\n')).faults).toEqual(['firmware_broken'])
  terminal.faults.on_battery = true
  expect((await send('a.jbn', 'jbn 2.0.0\n')).faults).toEqual(['battery'])
  terminal.faults.on_battery = false
  const { epoch } = terminal.store
  expect((await send('a.jbn', `jbn 2.0.0\n${'x'.repeat(200_000)}`)).json).toEqual({ kind: 'jbn', before: '1.0.0', after: '2.0.0' })
  await expect.poll(() => [terminal.build.firmware, terminal.store.epoch === epoch]).toEqual(['2.0.0', false])
  expect((await as('GET', '/api/info')).status).toBe(401)
})

test('the door opens for as long as its setting says; who comes stands on the dashboard, without his whole name', async () => {
  const { as, terminal } = await entered()
  expect((await as('PUT', '/api/settings/access', { body: { values: { relayTime: 60 } } })).status).toBe(200)
  expect([terminal.is_relay_open, (await as('POST', '/api/door/open')).json, terminal.is_relay_open]).toMatchObject([false, { relay: true }, true])
  put(terminal, 'permission', 'P1', { id: 'P1', door: 1, from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' })
  put(terminal, 'person', '7', { user_id: '7', name: '陈小明', no: '01', kind: 1, permission_ids: ['P1'] })
  put(terminal, 'credential', 'c7', { id: 'c7', user_id: '7', kind: 'card', code: '83155E' })
  terminal.present('card', '83155E')
  const { json } = await as('GET', '/api/dashboard')
  expect(json).toMatchObject({ counts: { persons: 1, cards: 1 }, records_waiting: 1, broker: { online: false, address: nowhere }, passes: [{ name: '陈**', way: 'card', result: 1 }] })
  expect(z.object({ today: z.object({ hours: z.array(z.number()) }) }).parse(json).today.hours.reduce((sum, hour) => sum + hour)).toBe(1)
})

test('a card held to the reader is written as its settings say before anybody is looked up', async () => {
  const { as, terminal, desk } = await entered()
  const face = await openFace(desk, { port: 0 })
  open.push(face)
  put(terminal, 'credential', 'c8', { id: 'c8', user_id: '8', kind: 'card', code: '83155E' })
  const hold = () => caller(face)('POST', '/api/face/show', { body: { way: 'card', code: '2A83155E' } })
  expect((await hold()).json).toMatchObject({ last: { reason: 'unknown_credential' } })
  await as('PUT', '/api/settings/reader', { body: { values: { truncation: '6' } } })
  expect((await hold()).json).toMatchObject({ last: { reason: 'no_right' } })
  expect((await as('GET', '/api/debug')).json).toMatchObject({ capture: { card: { uid: '2A83155E' } } })
  expect((await caller(face)('POST', '/api/face/show', { body: { way: 'card', code: 'xyz' } })).faults).toEqual(['card code'])
})

test('the debug bridge is off, shuts itself after half an hour and does not survive a restart', async () => {
  const { as, clock, desk } = await entered()
  expect((await as('GET', '/api/debug')).json).toMatchObject({ adb: { on: false, port: 5555 } })
  expect((await as('POST', '/api/debug/adb', { body: { on: true } })).json).toMatchObject({ adb: { on: true, seconds: 1800 } })
  clock.pass(30 * minute_ms)
  expect(desk.adb_seconds).toBeNull()
})

test('messages and the log show neither secrets nor people', async () => {
  const { as, terminal } = await entered()
  await as('PUT', '/api/settings/sys', { body: { values: { log_level: 'debug' } } })
  put(terminal, 'person', '9', { user_id: '9', name: '欧阳小华', no: 'S2026', kind: 1, permission_ids: [] })
  put(terminal, 'credential', 'c9', { id: 'c9', user_id: '9', kind: 'password', code: '606060' })
  put(terminal, 'config', 'password', { group: 'base', values: { password: '2468' } })
  const { text } = await as('GET', '/api/debug')
  expect(text).toContain('sync.rows')
  const log = await as('GET', '/api/debug/log')
  expect(log.text).toContain('down sync.rows')
  expect(text + log.text).not.toMatch(/欧阳|S2026|606060|2468|hush/)
})

test('a factory reset takes the serial number and leaves a terminal that draws its password anew', async () => {
  const { as, terminal, desk } = await entered()
  put(terminal, 'person', '1', { user_id: '1', name: 'A', no: '1', kind: 1, permission_ids: [] })
  expect((await as('POST', '/api/reset', { body: { sn: 'wrong' } })).faults).toEqual(['serial_number sn'])
  expect((await as('POST', '/api/reset', { body: { sn: terminal.sn } })).status).toBe(200)
  await expect.poll(() => [terminal.store.held('person').size, desk.must_change, desk.password.length]).toEqual([0, true, 8])
})

test('a test of the connection says at which step it ends', async () => {
  const { as } = await entered()
  const steps = async (addr: string) => z.object({ steps: z.array(z.object({ name: z.string(), state: z.string() })) }).parse((await as('POST', '/api/connection-test', { body: { values: { addr } } })).json).steps.map(({ name, state }) => `${name} ${state}`)
  expect(await steps('mqtt://127.0.0.1:1')).toEqual(['dns ok', 'tcp failed', 'tls skipped', 'connect skipped', 'subscribe skipped'])
  expect((await as('POST', '/api/connection-test', { body: { values: { addr: 'mqtt://300.1.1.1:1883' } } })).faults).toEqual(['address mqtt.addr'])
})

test('a name that somebody has pointed here gets nothing', async () => {
  const { desk } = await aDesk()
  const { url, close } = await openFace(desk, { port: 0 })
  open.push({ close })
  const { request } = await import('node:http')
  const status = await new Promise(resolve => void request(url, { headers: { host: 'evil.example' } }, response => resolve(response.statusCode)).end())
  expect(status).toBe(421)
})
