import { dataOf } from '@apps/server/testing'
import { JdevTerminal } from '@apps/terminal'
import { passwordApi } from '@campus/devices/contract'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startDevices } from '../testing/start.ts'
import type { DevicesTest } from '../testing/start.ts'

let d: DevicesTest
let made = 0
beforeAll(async () => {
  d = await startDevices({ codes: ['devices.secret.view', 'devices.secret.edit'] })
})
afterEach(() => d.stopAll())
afterAll(() => d.close())

const set = (device_ids: string[], password: string) => d.app.call(passwordApi.set, { device_ids, password }, { token: d.me.token })
const line = async (device_id: string) => dataOf(passwordApi.list, await d.app.call(passwordApi.list, { page_size: 200 }, { token: d.me.token })).list.find(one => one.device_id === device_id)
const told = (terminal: JdevTerminal) => terminal.store.held('config').get('password')?.body?.values

/** Proof of the own password, as the console gets it. */
async function proof(): Promise<string> {
  const token = `proof ${(made += 1)}`
  const expire_at = new Date(d.app.clock.now().getTime() + 60_000)
  await d.tenant(db => sql`insert into ticket (ticket_hash, purpose, user_id, school_id, expire_at) values (${createHash('sha256').update(token).digest()}, 'recheck', ${d.me.user_id}, ${d.school_id}, ${expire_at})`.execute(db))
  return token
}

/** Tables in which a text stands, whatever the column. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await d.tenant(db => sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db))
  const found: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await d.tenant(db => sql`select 1 from ${sql.table(name)} t where strpos(t::text, ${text}) > 0 or strpos(t::text, ${Buffer.from(text).toString('hex')}) > 0 limit 1`.execute(db))
    if (rows.length > 0) found.push(name)
  }
  return found
}

test('30-A29 a password of nine digits is refused, one of eight reaches the devices and is counted', async () => {
  const [jdev, vf105, camera, away] = [await d.aGate(), await d.aVf105(), await d.aDevice({ device_type: '06', model_code: 'IPC-4M' }), await d.aDevice()]
  const [ours, theirs] = [jdev.terminal, vf105.terminal]
  const ids = [jdev, vf105, camera, away].map(one => one.device_id)
  for (const [password, status, sentence] of [['123456789', 422, '密码最多8位数字'], ['', 400, '密码不能为空'], ['1234a', 400, '密码只能是数字']] as const) {
    const answer = await set(ids, password)
    expect([answer.status, JSON.stringify(answer.body).includes(sentence)]).toEqual([status, true])
  }
  expect(dataOf(passwordApi.set, await set(ids, '83920174'))).toMatchObject({ changed: 3, unchanged: 0, unsupported: 1 })
  await expect.poll(() => told(ours)).toEqual({ password: '83920174' })
  await expect.poll(() => theirs.store.config.base?.password).toBe('83920174')
  await expect.poll(async () => [(await line(jdev.device_id))?.state, (await line(vf105.device_id))?.state, (await line(away.device_id))?.state, await line(camera.device_id)]).toEqual(['applied', 'applied', 'waiting', undefined])
  expect(dataOf(passwordApi.set, await set(ids, '83920174'))).toMatchObject({ changed: 0, unchanged: 3 })
  expect(dataOf(passwordApi.list, await d.app.call(passwordApi.list, { stale: '1', page_size: 200 }, { token: d.me.token })).list.map(one => one.device_id)).toContain(away.device_id)

  const late = new JdevTerminal(away.way)
  await late.start()
  await expect.poll(() => told(late)).toEqual({ password: '83920174' })
  await late.stop()
})

test('a device that has not confirmed the newest password still goes by the one before, and both are told', async () => {
  const { device_id, terminal } = await d.aGate()
  await set([device_id], '11112222')
  await expect.poll(async () => (await line(device_id))?.state).toBe('applied')
  await terminal.stop()
  await set([device_id], '33334444')
  expect(await line(device_id)).toMatchObject({ version: 2, state: 'waiting', prior_valid: true })
  const answer = await d.app.call(passwordApi.reveal, { device_id, reason: '现场维护', recheck_token: await proof() }, { token: d.me.token })
  expect(dataOf(passwordApi.reveal, answer)).toEqual({ password: '33334444', prior_password: '11112222' })
})

test('30-A29 nobody sees one without his own password and a reason; who did is written down', async () => {
  const { device_id } = await d.aDevice()
  await set([device_id], '55556666')
  const reveal = (more: { reason?: string; recheck_token?: string }) => d.app.call(passwordApi.reveal, { device_id, reason: '现场维护', recheck_token: 'made up', ...more }, { token: d.me.token })
  expect((await reveal({ reason: ' ', recheck_token: await proof() })).status).toBe(400)
  expect((await reveal({})).status).toBe(403)
  const token = await proof()
  expect([(await reveal({ recheck_token: token })).status, (await reveal({ recheck_token: token })).status]).toEqual([200, 403])
  const { rows } = await d.tenant(db => sql<{ reason: string }>`select reason from device_secret_reveal where school_id = ${d.school_id} and device_id = ${device_id}`.execute(db))
  expect(rows).toEqual([{ reason: '现场维护' }])
})

test('31-A14 a password stands nowhere in the database, also when it is asked for under an Idempotency-Key; three versions are kept', async () => {
  const { device_id, terminal } = await d.aGate()
  for (const password of ['70010001', '70020002', '70030003', '74185296']) await set([device_id], password)
  await expect.poll(() => told(terminal)).toEqual({ password: '74185296' })
  const answer = await d.app.call(passwordApi.reveal, { device_id, reason: '现场维护', recheck_token: await proof() }, { token: d.me.token, headers: { 'idempotency-key': 'reveal-once' } })
  expect(dataOf(passwordApi.reveal, answer).password).toBe('74185296')
  expect(await tablesWith('74185296')).toEqual([])
  const { rows } = await d.tenant(db => sql<{ version: number }>`select version from device_password where school_id = ${d.school_id} and device_id = ${device_id} order by version`.execute(db))
  expect(rows.map(row => row.version)).toEqual([2, 3, 4])
})
