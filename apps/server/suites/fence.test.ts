import type { Call } from '@kit/contract'
import { isDownload, isLogged, isRedirect } from '@kit/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { domains } from '../domains.ts'
import { dataOf, startTestApp, test_schools } from '../testing/index.ts'
import type { Answer, TestApp } from '../testing/index.ts'
import { allLines, countLines } from './log-lines.ts'
import { buildCall, makeWorld } from './make-world.ts'
import type { World } from './world.ts'

const calls: Call[] = domains.flatMap(domain => domain.routes).map(route => route.call)

let app: TestApp
let home: World

beforeAll(async () => {
  app = await startTestApp()
  home = await makeWorld(app, test_schools.a)
  // Nobody has told the planner yet that somebody is there: some of the calls take seconds over fifty people.
  await app.running.database.owner_exec('analyze')
})
afterAll(() => app.close())

describe.each(named(calls))('%s', (_name, call) => {
  test(`a valid call succeeds, its answer matches its schema${isLogged(call) ? ', and 10-A22 it writes exactly one line of the operation log' : ''}`, async () => {
    const { input, file, token, headers, letter } = await buildCall(call, home)
    const before = await linesOf(call)
    const answer = await app.call(call, input, { token: token ?? home.me.token, ...(file ? { file } : {}), ...(headers ? { headers } : {}), ...(letter === undefined ? {} : { letter }) })
    expect([answer.status, answer.body.code, answer.body.msg]).toEqual(expected(call))
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(() => (answer.status === 200 && !isDownload(call) ? dataOf(call, answer) : null)).not.toThrow()
    expect(captchaAnswers(answer), '10-A32').toEqual([])
    // What was not found was not done.
    expect((await linesOf(call)) - before).toBe(isLogged(call) && answer.status !== 404 ? 1 : 0)
  })
})

test('no line of the operation log holds a password, a token or a whole identity number', async () => {
  const text = JSON.stringify(await allLines(app))
  expect(text).not.toContain(home.me.token)
  expect(text).not.toMatch(/Qw8#rTy2pL|Xk29!pQm7w|Zt51#vRn8c/)
  expect(text).not.toMatch(/\b\d{17}[\dX]\b/)
})

test('10-A32 the answer of a captcha stands in no answer of any call', () => {
  expect(captchaAnswers({ headers: new Headers(), bytes: new TextEncoder().encode('{"data":{"cap_value":"2222"}}') })).toEqual(['2222'])
  expect(captchaAnswers({ headers: new Headers({ 'x-hint': '2222' }), bytes: new Uint8Array() })).toEqual(['2222'])
})

function named(of: readonly Call[]): [name: string, call: Call][] {
  return of.map(call => [call.call, call])
}

/** How many lines of a logged call there are; of others nobody looks. */
async function linesOf(call: Call): Promise<number> {
  return isLogged(call) ? countLines(app, call.call) : 0
}

/** Where an answer holds what the test environment draws as a captcha, as a word of its own; the picture itself is no text. */
function captchaAnswers({ headers, bytes }: Pick<Answer, 'headers' | 'bytes'>): string[] {
  const text = new TextDecoder().decode(bytes).replaceAll(/base64,[\w+/=]*/g, '')
  return `${[...headers].join('\n')}\n${text}`.match(/(?<![\w.+-])2222(?![\w.+-])/g) ?? []
}

/** Refusals that a valid call of the suites' world meets by nature. */
function expected(call: Call): unknown[] {
  if (call.call === 'jobs.job.cancel') return [409, 409, '任务已结束，无需取消']
  if (call.call === 'identity.sub_app.thirdToken') return [422, 422, '系统异常，请稍后重试']
  if (call.call === 'jobs.job.result') return [404, 404, '结果文件不存在或已过期']
  // A code at a door opens it to people of the school only.
  if (call.call === 'access.door_qr.open') return [422, 422, '您当前无此门权限：您不是本校在册人员']
  if (isRedirect(call)) return [302, 600, '']
  return [200, 600, expect.any(String)]
}
