import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileApi } from '@campus/files/contract'
import { importApi, jobApi } from '@campus/jobs/contract'
import { studentExportApi } from '@campus/people/contract'
import type { Call } from '@kit/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataOf, startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'

const school_id = test_schools.a
const page_asset = /(?:src|href)="(\/assets\/[^"]+)"/

let app: TestApp
let token: string
const paths = new Map<string, string>()

beforeAll(async () => {
  app = await startTestApp()
  token = (await app.as({ school_id, codes: 'all' })).token
  const logo = app.running.app.files.pathOf(`${school_id}/logo/a.svg`)
  await mkdir(dirname(logo), { recursive: true })
  await writeFile(logo, '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  paths.set('a picture for everybody', pathOf(fileApi.read, { school_id: String(school_id), folder: 'logo', name: 'a.svg' }))
  paths.set('a template', pathOf(importApi.template, { code: 'student' }))
  paths.set('the sheet of wrong rows', pathOf(importApi.errorSheet, { batch_no: await wrongBatch() }))
  paths.set('the result of a job', pathOf(jobApi.result, { job_no: await exported() }))
  paths.set('a script of the console', page_asset.exec(await (await fetch(`${app.url}/`)).text())?.[1] ?? '')
})
afterAll(() => app.close())

function pathOf(call: Call, values: Record<string, string>): string {
  return (call.paths[0] ?? '').replace(/:(\w+)/g, (_all, name: string) => values[name] ?? '')
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(20)
}

async function exported(): Promise<string> {
  const { job_no } = dataOf(studentExportApi.export, await app.call(studentExportApi.export, {}, { token }))
  await until(async () => dataOf(jobApi.one, await app.call(jobApi.one, { job_no }, { token })).has_result)
  return job_no
}

/** A batch whose sample row names a class that this school does not have. */
async function wrongBatch(): Promise<string> {
  const template = await app.call(importApi.template, { code: 'student' }, { token })
  const { batch_no } = dataOf(importApi.upload, await app.call(importApi.upload, { code: 'student' }, { token, file: { name: 'a.xlsx', body: template.bytes } }))
  await until(async () => dataOf(importApi.one, await app.call(importApi.one, { batch_no }, { token })).state === 'parsed')
  return batch_no
}

const ask = (name: string) => fetch(`${app.url}${paths.get(name)}`, { headers: { authorization: token } })

describe('a file', () => {
  test.each([
    ['a picture for everybody', 'image/svg+xml'],
    ['a template', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['the sheet of wrong rows', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['the result of a job', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ])('%s is saved, never run, and kept by nobody', async (name, mime) => {
    const answer = await ask(name)
    const bytes = await answer.arrayBuffer()
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-length')]).toEqual([200, mime, String(bytes.byteLength)])
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expectGuarded(answer)
  })

  test('a script of the console has the same guards; its name tells its content, so it may be kept', async () => {
    const answer = await ask('a script of the console')
    await answer.arrayBuffer()
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    expectGuarded(answer)
  })

  test('a page is asked for again every time, since it names the scripts', async () => {
    const answer = await fetch(`${app.url}/ParentsRecord`)
    await answer.arrayBuffer()
    expect(answer.headers.get('cache-control')).toBe('no-cache')
  })

  test.each(['/assets/nothing.js', '/assets/..%2findex.html', '/material/f/1001/logo/..%2f..%2fsecrets.json', '/material/f/1001/import/a.xlsx', '/api/docs/..%2f..%2fpackage.json'])('%s is none', async path => {
    const answer = await fetch(`${app.url}${path}`)
    await answer.arrayBuffer()
    expect([400, 403, 404]).toContain(answer.status)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expectGuarded(answer)
  })
})

function expectGuarded(answer: Response): void {
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/script-src 'self'|default-src 'none'/)
  expect(policy).not.toMatch(/unsafe-eval|unsafe-inline/)
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
}
