import { once } from 'node:events'
import { importApi } from '@campus/jobs/contract'
import { preferenceApi } from '@campus/school/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'
import { openWire } from './wire.ts'

const longest_ms = 20_000
const patience_ms = 60_000
const trickle_ms = 500
const attackers = 60
const boundary = 'x'

let app: TestApp
let token: string

beforeAll(async () => {
  app = await startTestApp()
  token = (await app.as({ school_id: test_schools.a, codes: 'all' })).token
})
afterAll(() => app.close())

const upload_path = importApi.upload.paths[0]?.replace(':code', 'student')
const uploading = () => [
  `POST ${upload_path} HTTP/1.1`, 'host: a', `authorization: ${token}`, `content-type: multipart/form-data; boundary=${boundary}`, 'content-length: 1000000', '',
  `--${boundary}`, 'content-disposition: form-data; name="file"; filename="a.xlsx"', '', 'PK',
]
const writing = () => [`POST ${preferenceApi.save.paths[0]} HTTP/1.1`, 'host: a', `authorization: ${token}`, 'content-type: application/json', 'content-length: 900000', '', '{"pref_key":"recent_apps","value":"']

/** Keeps a connection busy with one sign at a time, until it is closed. */
async function trickle(sent: string): Promise<{ lived_ms: number; text: string }> {
  const wire = openWire(app.url, sent)
  const timer = setInterval(() => sent !== '' && wire.socket.write('a'), trickle_ms)
  const lived_ms = await wire.closed
  clearInterval(timer)
  return { lived_ms, text: wire.text() }
}

describe.concurrent('a connection that never finishes is closed within 20 s', () => {
  test.each<[string, () => string]>([
    ['without a single byte', () => ''],
    ['in the middle of the headers', () => 'GET /livez HTTP/1.1\r\nhost: a\r\nx-slow: '],
    ['in the middle of a JSON body', () => writing().join('\r\n')],
    ['in the middle of an upload', () => uploading().join('\r\n')],
    ['in the middle of an upload that was refused already', () => uploading().filter(line => !line.startsWith('authorization')).join('\r\n')],
  ])('%s', async (_name, sent) => {
    const { lived_ms } = await trickle(sent())
    expect(lived_ms).toBeLessThan(longest_ms)
  }, patience_ms)

  test('in words, as far as there is a request: 408', async () => {
    const [headers, json, upload] = await Promise.all(['GET /livez HTTP/1.1\r\nhost: a\r\nx-slow: ', writing().join('\r\n'), uploading().join('\r\n')].map(trickle))
    for (const answer of [headers, json, upload]) {
      expect(answer?.text).toMatch(/^HTTP\/1\.1 408 /)
      expect(answer?.text).toContain('请求超时，请检查网络后重试')
    }
  }, patience_ms)

  test('and many of them at once keep nobody else waiting', async () => {
    const slow = Array.from({ length: attackers }, (_, number) => trickle(number % 2 === 0 ? 'GET / HTTP/1.1\r\nx: ' : writing().join('\r\n')))
    for (let round = 0; round < 20; round += 1) expect((await fetch(`${app.url}/livez`)).status).toBe(200)
    for (const { lived_ms } of await Promise.all(slow)) expect(lived_ms).toBeLessThan(longest_ms)
  }, patience_ms)
})

// Beside the others: what it takes is the time between its pieces.
test.concurrent('a slow but steady upload is taken', async ({ expect: expectHere }) => {
  const file = Buffer.alloc(120_000, 'a')
  const head = Buffer.from(uploading().join('\r\n').replace('1000000', String(200 + file.length)).replace(/PK$/, ''))
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const body_start = head.indexOf('\r\n\r\n') + 4
  const length = head.length - body_start + file.length + tail.length
  const wire = openWire(app.url, head.toString().replace(/content-length: \d+/, `content-length: ${length}`))
  await once(wire.socket, 'connect')
  for (let at = 0; at < file.length; at += 10_000) {
    wire.socket.write(file.subarray(at, at + 10_000))
    await new Promise(resolve => setTimeout(resolve, 1200))
  }
  wire.socket.write(tail)
  await expectHere.poll(wire.text, { timeout: 10_000 }).toMatch(/^HTTP\/1\.1 200 /)
  wire.socket.destroy()
}, patience_ms)

test('a connection with dozens of refused uploads gathers no listeners', async () => {
  const warnings: string[] = []
  const listen = (warning: Error) => warnings.push(warning.name)
  process.on('warning', listen)
  // Refused before its body is read, so that each leaves a timer behind that waits for the rest.
  const body = 'a'.repeat(300_000)
  const head = [`POST ${upload_path} HTTP/1.1`, 'host: a', `content-type: multipart/form-data; boundary=${boundary}`, `content-length: ${body.length}`]
  const refused = [...head, '', body].join('\r\n')
  const wire = openWire(app.url, refused.repeat(40))
  await expect.poll(() => wire.text().match(/HTTP\/1\.1 401 /g)?.length, { timeout: patience_ms / 2 }).toBe(40)
  wire.socket.destroy()
  await wire.closed
  process.off('warning', listen)
  expect(warnings).toEqual([])
}, patience_ms)
