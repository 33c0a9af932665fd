import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { dirname } from 'node:path'
import { fileApi } from '@campus/files/contract'
import { jobApi } from '@campus/jobs/contract'
import { studentExportApi } from '@campus/people/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExpectStatic } from 'vitest'
import { dataOf, startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'

const longest_ms = 20_000
const patience_ms = 60_000
const trickle_ms = 500
/** More than the buffers between two processes hold, several times: however large they are, a reader who keeps his pace is seen to read. */
const picture = Buffer.alloc(96 * 1024 * 1024)
const picture_path = fileApi.read.paths[0]?.replace(':school_id/:folder/:name', `${test_schools.a}/logo/large.png`) ?? ''

const asking = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`
const small = asking('/livez')
const many = asking('/api/openapi.json').repeat(100)

let app: TestApp
const sockets: Socket[] = []
/** Ports of the callers whose connection the server still holds. */
const live = new Set<number>()

beforeAll(async () => {
  app = await startTestApp()
  const path = app.running.app.files.pathOf(`${test_schools.a}/logo/large.png`)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, picture)
  app.running.http.server.on('connection', socket => {
    const { remotePort = 0 } = socket
    live.add(remotePort)
    socket.once('close', () => live.delete(remotePort))
  })
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await app.close()
})

/** The request for a result file of that size, which is sent from the disk. */
async function largeResult(mine: ExpectStatic): Promise<string> {
  const { token } = await app.as({ school_id: test_schools.a, codes: 'all' })
  const { job_no } = dataOf(studentExportApi.export, await app.call(studentExportApi.export, {}, { token }))
  await mine.poll(async () => dataOf(jobApi.one, await app.call(jobApi.one, { job_no }, { token })).has_result, { timeout: longest_ms }).toBe(true)
  const { rows } = await app.running.database.tenant<unknown, { rows: { result_file: string }[] }>(test_schools.a, db =>
    sql<{ result_file: string }>`select result_file from job where school_id = ${test_schools.a} and job_no = ${job_no}`.execute(db),
  )
  await writeFile(app.running.app.files.pathOf(rows[0]?.result_file ?? ''), picture)
  return asking(jobApi.result.paths[0]?.replace(':job_no', job_no) ?? '').replace('host: a', `host: a\r\nauthorization: ${token}`)
}

function wireTo(): Socket {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  sockets.push(socket)
  return socket
}

/** Asks for a lot, sees that it comes, and reads no further; `trickled` is sent again and again. The port he calls from. */
async function neverRead(asked: string, trickled = ''): Promise<number> {
  const socket = wireTo()
  socket.write(asked)
  await new Promise(resolve => socket.once('readable', resolve))
  if (trickled !== '') {
    const timer = setInterval(() => socket.write(trickled), trickle_ms)
    socket.once('close', () => clearInterval(timer))
  }
  const { localPort = 0 } = socket
  expect(live.has(localPort)).toBe(true)
  return localPort
}

/** What is asked for, and how. */
const ways: readonly (readonly [string, (mine: ExpectStatic) => Promise<string>])[] = [['from the disk', largeResult], ['from memory', async () => asking(picture_path)]]

describe.concurrent('a caller who', () => {
  // Tests side by side: each has an `expect` of its own.
  test('does not read what he asked for is let go within 20 s', async ({ expect: mine }) => {
    const result = await largeResult(mine)
    const callers = [
      [result], [result, small], [`${result}GET /livez HTTP/1.1\r\nx: `, 'a'],
      [asking(picture_path)], [asking(picture_path), small], [`${asking(picture_path)}GET /livez HTTP/1.1\r\nx: `, 'a'],
      [many], [many, small],
    ] as const
    const ports = await Promise.all(callers.map(([asked, trickled]) => neverRead(asked, trickled)))
    await mine.poll(() => ports.map((port, at) => (live.has(port) ? at : null)).filter(at => at !== null), { timeout: longest_ms, interval: 100 }).toEqual([])
  }, patience_ms)

  test.for(ways)('takes his time over a large file %s, but takes, gets all of it', { timeout: patience_ms }, async ([_name, request], { expect: mine }) => {
    // Asked for first: a connection on which nothing comes is closed, and making the file may take a while.
    const asked = await request(mine)
    const socket = wireTo()
    socket.write(asked.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
    const begun = performance.now()
    let bytes = 0
    for await (const part of socket) {
      bytes += part.length
      const ahead_ms = (longest_ms * bytes) / picture.length - (performance.now() - begun)
      // Parts may be as small as a packet: a pause after each would be no slow reader but none at all.
      if (ahead_ms > 1) await new Promise(resolve => setTimeout(resolve, ahead_ms))
    }
    mine(performance.now() - begun).toBeGreaterThan(longest_ms * 0.9)
    mine(bytes).toBeGreaterThan(picture.length)
  })
})
