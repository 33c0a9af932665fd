import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createLog, redacted_keys } from './index.ts'

function collect(): { to: Writable; text: () => string } {
  const parts: string[] = []
  const to = new Writable({
    write(chunk: Buffer, _encoding, done) {
      parts.push(chunk.toString())
      done()
    },
  })
  return { to, text: () => parts.join('') }
}

test('no secret or personal value reaches a log line, however deep it lies', () => {
  const { to, text } = collect()
  const log = createLog('info', to)
  const secrets = Object.fromEntries(redacted_keys.map((key, at) => [key, `geheim-${at}`]))
  log.info(secrets, 'flat')
  log.info({ req: secrets }, 'one level down')
  log.info({ req: { headers: secrets } }, 'two levels down')
  log.info({ a: { b: { c: secrets } } }, 'three levels down')
  expect(text()).not.toContain('geheim-')
  expect(text().split('\n').filter(line => line !== '').length).toBe(4)
})

test('what is no secret is written', () => {
  const { to, text } = collect()
  createLog('info', to).info({ route: '/web/captcha', status: 200 }, 'answered')
  expect(JSON.parse(text())).toMatchObject({ route: '/web/captcha', status: 200, msg: 'answered' })
})
