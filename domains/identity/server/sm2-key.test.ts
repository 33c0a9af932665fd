import { startTestApp } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { encryptField } from '@kit/contract/sm2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Desk, Own } from './db.ts'
import { currentKey, openFields } from './sm2-key.ts'
import { own } from './testing/person.ts'

const cap_key = '5b0f8f3a-8f6e-4d5b-9a55-0d5b0c6f7a11'
let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** The server at a moment of Shanghai time; another app object stands for another node. */
function deskAt(time: string, node = app.running.app): Desk {
  const run: Own = (school_id, fn) => own(app.running.database, school_id, fn)
  return { app: node, own: run, now: new Date(`${time}+08:00`) }
}

test('the key changes at three in the morning and the old one opens for ten minutes more', async () => {
  const evening = await currentKey(deskAt('2027-03-01T23:00:00'))
  const night = await currentKey(deskAt('2027-03-02T02:59:59'))
  expect(night.key_id).toBe(evening.key_id)
  const field = encryptField('secret', cap_key, night.public_key, night.key_id)
  const morning = await currentKey(deskAt('2027-03-02T03:00:00'))
  expect(morning.key_id).not.toBe(night.key_id)
  expect(await openFields(deskAt('2027-03-02T03:09:59'), cap_key, { field })).toEqual({ field: 'secret' })
  await expect(openFields(deskAt('2027-03-02T03:10:00'), cap_key, { field })).rejects.toThrow('登录信息已失效，请刷新后重试')
})

test('nodes that ask at once get one key, and each opens what was sealed for the other', async () => {
  const nodes = Array.from({ length: 4 }, () => ({ ...app.running.app }))
  const keys = await Promise.all(nodes.map(node => currentKey(deskAt('2027-04-01T12:00:00', node))))
  expect(new Set(keys.map(key => key.public_key)).size).toBe(1)
  const [first] = keys
  const field = encryptField('secret', cap_key, first?.public_key ?? '', first?.key_id ?? '')
  expect(await openFields(deskAt('2027-04-01T12:00:00', { ...app.running.app }), cap_key, { field })).toEqual({ field: 'secret' })
})

test('the private key lies sealed; another secret means another key', async () => {
  const key = await currentKey(deskAt('2027-05-01T12:00:00'))
  const row = await own(app.running.database, 0, db => db.selectFrom('sm2_key').selectAll().where('key_id', '=', key.key_id).executeTakeFirstOrThrow())
  expect(JSON.stringify(row)).not.toContain(key.private_key)
  const moved = { ...app.running.app, secrets: { ...app.running.app.secrets, sm2_key: Buffer.from('0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0', 'hex') } }
  const other = await currentKey(deskAt('2027-05-01T12:00:00', moved))
  expect(other.key_id).not.toBe(key.key_id)
  const field = encryptField('secret', cap_key, key.public_key, key.key_id)
  await expect(openFields(deskAt('2027-05-01T12:00:00', moved), cap_key, { field })).rejects.toThrow('登录信息已失效')
})
