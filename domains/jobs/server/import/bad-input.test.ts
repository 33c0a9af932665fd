import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { importApi } from '@campus/jobs/contract'
import type { ImportBatch } from '@campus/jobs/contract'
import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildXlsx, buildZip, xlsxPieces } from '@kit/server/testing'
import { addProbe, batchNow, dataOf, parsed, rowsOf, settled } from '../testing/import-flow.ts'

let app: TestApp
let user: TestUser
let other: TestUser
beforeAll(async () => {
  app = await startTestApp()
  const importer = await addProbe(app)
  user = await importer(test_schools.a)
  other = await importer(test_schools.b)
})
afterAll(() => app.close())
afterEach(async () => {
  await until(async () => (await readdir(uploads())).length === 0)
})

/** Folder of temporary uploads, beside the folder of kept files. */
const uploads = () => join(app.running.app.files.pathOf('any'), '../../upload')

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(20)
}

const upload = (name: string, body: Uint8Array) => app.call(importApi.upload, { code: 'probe' }, { token: user.token, file: { name, body } })

/** Uploads a file and asks as somebody else for as long as the server is busy with it. */
async function judged(name: string, body: Uint8Array): Promise<{ batch: ImportBatch; answers: number[] }> {
  const { batch_no } = dataOf(importApi.upload, await upload(name, body))
  const answers: number[] = []
  for (;;) {
    answers.push((await app.call(importApi.batches, {}, { token: other.token })).status)
    const batch = await batchNow(app, user, batch_no)
    if (!['uploaded', 'parsing'].includes(batch.state)) return { batch, answers }
  }
}

const rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>编号</t></is></c></row>'
const pieces = xlsxPieces({ rows })
const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2048)])
const nested = buildZip([{ name: 'a.txt', content: 'a' }])
const part = (name: string, content: Buffer | string) => buildXlsx({ rows, extra: [{ name, content }] })
const entity = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><worksheet><sheetData>&e;</sheetData></worksheet>'
const bomb = () => buildZip(xlsxPieces({ rows, extra: [{ name: 'xl/worksheets/sheet2.xml', content: Buffer.alloc(200 * 1024 * 1024, '<row><c/></row>') }] }))

const refused = '文件不合规，已拒绝'
const too_long = '超过20000行，请拆分后导入'

describe('a file that must not be read is refused, and nobody waits for it', () => {
  test.each<[string, () => Buffer, string]>([
    ['a bomb of 200 MB in 200 KB', bomb, refused],
    ['an archive in the archive', () => part('xl/media/image1.png', nested), refused],
    ['a header that lies', () => buildZip(pieces.map(piece => (piece.name.endsWith('sheet1.xml') ? { ...piece, declared: 10 } : piece))), refused],
    ['a cell XFD1048576', () => buildXlsx({ rows: '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>' }), too_long],
    ['1,000,000 entries', () => buildZip(pieces, { count: 1_000_000 }), refused],
    ['an external entity', () => buildXlsx({ rows: entity }), refused],
    ['macros', () => part('xl/vbaProject.bin', 'x'), refused],
    ['an old workbook by another name', () => ole, refused],
    ['a web page by another name', () => Buffer.from('<html><table><tr><td>编号</td></tr></table></html>'), refused],
  ])('%s', async (_, file, sentence) => {
    const { batch, answers } = await judged('试件.xlsx', file())
    expect(batch).toMatchObject({ state: 'refused', message: sentence, rows_total: 0 })
    expect(new Set(answers)).toEqual(new Set([200]))
    expect((await app.call(importApi.apply, { batch_no: batch.batch_no }, { token: user.token })).status).toBe(409)
  })

  test.each([
    ['a sheet of 21 MB', '试件.xlsx', 21 * 1024 * 1024, [413, '文件大小不能超过20MB']],
    ['a file of another kind', '试件.xlsm', 10, [415, '文件格式不支持']],
  ])('%s leaves no batch', async (_, name, size, answer) => {
    const count = async () => dataOf(importApi.batches, await app.call(importApi.batches, {}, { token: user.token })).total
    const before = await count()
    const sent = await upload(name, Buffer.alloc(size))
    expect([sent.status, sent.body.msg]).toEqual(answer)
    expect(await count()).toBe(before)
  })

  test('an upload that breaks off leaves no file', async () => {
    const { hostname, port } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    const head = `POST ${importApi.upload.paths[0]?.replace(':code', 'probe')} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${user.token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n`
    socket.write(`${head}--b\r\nContent-Disposition: form-data; name="file"; filename="a.xlsx"\r\n\r\n${'x'.repeat(100_000)}`)
    await until(async () => (await readdir(uploads())).length > 0)
    socket.destroy()
    await until(async () => (await readdir(uploads())).length === 0)
    expect((await app.call(importApi.batches, {}, { token: other.token })).status).toBe(200)
  })

  test('and the next good file goes in', async () => {
    expect(await parsed(app, user, [['1', '一', '甲']])).toMatchObject({ state: 'parsed', rows_new: 1 })
  })
})

describe('a CSV is read in the encoding it is in', () => {
  const text = '说明\n编号,名称,类型\n001,王子涵,甲\n002,𠮷野家,乙\n'
  test.each<[string, () => Uint8Array]>([
    ['UTF-8', () => Buffer.from(text)],
    ['UTF-8 with a mark', () => Buffer.from(`\ufeff${text}`)],
    ['UTF-16 LE', () => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 BE', () => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['GB18030', () => gb18030(text)],
    ['GBK', () => gb18030(text.replace('𠮷', '吉'))],
  ])('%s', async (name, body) => {
    const batch = await settled(app, user, dataOf(importApi.upload, await upload('试件.csv', body())).batch_no)
    expect(batch).toMatchObject({ state: 'parsed', rows_total: 2, rows_error: 0 })
    const [first, second] = await rowsOf(app, user, batch.batch_no)
    expect([first?.cells.probe_no, first?.cells.probe_name, second?.cells.probe_name]).toEqual(['001', '王子涵', name === 'GBK' ? '吉野家' : '𠮷野家'])
  })
})

/** Two bytes for what GBK holds, four for signs beyond the basic plane. */
function gb18030(text: string): Buffer {
  const decoder = new TextDecoder('gb18030')
  const known = new Map<string, number[]>()
  for (let high = 0x81; high <= 0xfe; high++) for (let low = 0x40; low <= 0xfe; low++) known.set(decoder.decode(Uint8Array.of(high, low)), [high, low])
  return Buffer.from([...text].flatMap(sign => {
    const code = sign.codePointAt(0) ?? 0
    if (code < 0x80) return [code]
    return code > 0xffff ? fourBytes(code - 0x10000) : (known.get(sign) ?? [])
  }))
}

function fourBytes(place: number): number[] {
  const third = Math.floor(place / 10)
  const second = Math.floor(third / 126)
  return [0x90 + Math.floor(second / 10), 0x30 + (second % 10), 0x81 + (third % 126), 0x30 + (place % 10)]
}
