import { randomBytes } from 'node:crypto'
import { startTestApp } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { loginApi } from '@campus/identity/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** The keys of the tests stand in the source, so no other environment takes them. */
const own_keys = Object.fromEntries(['TOKEN_KEY', 'DATA_KEY', 'ID_INDEX_KEY', 'SEAL_KEY', 'SM2_KEY'].map(name => [`CAMPUS_SECRET_${name}`, randomBytes(32).toString('hex')]))
const signature_bytes = 8

describe.each(['dev', 'prod'])('a server of %s', stage => {
  let app: TestApp

  beforeAll(async () => {
    app = await startTestApp({ settings: { ...own_keys, CAMPUS_ENV: stage } })
  })
  afterAll(() => app?.close())

  test('10-A32 sends with a captcha nothing that could say what it shows: its key, the key of the day, a picture of dots alone', async () => {
    const { headers, body } = await app.call(loginApi.captcha, { type: 'login' })
    const { image, ...rest } = loginApi.captcha.details.reply.parse(body.data)
    expect(Object.keys(body.data ?? {}).toSorted()).toEqual(['expire_seconds', 'image', 'key', 'key_id', 'public_key'])
    expect(rest).toEqual({ key: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/), key_id: expect.any(String), public_key: expect.stringMatching(/^04[\da-f]{128}$/), expire_seconds: 120 })
    expect(chunksOf(image)).toEqual(['IHDR', 'IDAT', 'IEND'])
    const again = await app.call(loginApi.captcha, { type: 'login' })
    const told = ['date', 'content-length', 'x-request-id']
    const facts = (given: Headers) => [...given].filter(([name]) => !told.includes(name))
    expect(facts(again.headers)).toEqual(facts(headers))
    expect(loginApi.captcha.details.reply.parse(again.body.data).image).not.toBe(image)
  })
})

/** Names of the parts of a PNG: words would stand in one of their own. */
function chunksOf(image: string | null): string[] {
  const png = Buffer.from((image ?? '').replace('data:image/png;base64,', ''), 'base64')
  const names: string[] = []
  for (let at = signature_bytes; at < png.length; at += 12 + png.readUInt32BE(at)) names.push(png.toString('latin1', at + 4, at + 8))
  return names
}
