import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildXlsx, buildZip, xlsxPieces } from '@kit/server/testing'
import { atMost, milliseconds, reported } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { dryRun } from '../import-run.ts'
import type { Desk } from '../import-run.ts'
import { median, timed } from '../measure.ts'
import { scratchFolder, startProduct } from '../product.ts'
import { install } from '../school.ts'

const school_id = 1001
const rounds = 5
const limit_ms = 1000

const rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>姓名</t></is></c></row>'
const pieces = xlsxPieces({ rows })
const withPart = (name: string, content: Buffer | string) => buildXlsx({ rows, extra: [{ name, content }] })
const bomb_bytes = 200 * 1024 * 1024

/** What is sent, by name: what each of them would do stands in the tests of refused sheets. */
const hostile: readonly (readonly [name: string, file: () => Buffer])[] = [
  ['a bomb of 200 MB', () => buildZip(xlsxPieces({ rows, extra: [{ name: 'xl/worksheets/sheet2.xml', content: Buffer.alloc(bomb_bytes, '<row><c/></row>') }] }))],
  ['an archive in the archive', () => withPart('xl/media/image1.png', buildZip([{ name: 'a.txt', content: 'a' }]))],
  ['a header that lies', () => buildZip(pieces.map(piece => (piece.name.endsWith('sheet1.xml') ? { ...piece, declared: 10 } : piece)))],
  ['a cell XFD1048576', () => buildXlsx({ rows: '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>' })],
  ['1,000,000 entries', () => buildZip(pieces, { count: 1_000_000 })],
  ['an external entity', () => buildXlsx({ rows: '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><worksheet><sheetData>&e;</sheetData></worksheet>' })],
  ['macros', () => withPart('xl/vbaProject.bin', 'x')],
  ['an old workbook by another name', () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2048)])],
]

/** How long somebody who uploads a hostile sheet waits for its refusal. */
export const refusals: Figure = {
  name: 'refusals',
  title: 'Refusing hostile sheets',
  how: 'Each file uploaded as pupils on PostgreSQL, one after the other; from sending it until its batch says that it is refused, looked at every 50 ms; the middle of five rounds, and of all files the slowest.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const folder = scratchFolder('hostile')
  const files = hostile.map(([name, file], at) => ({ name, path: join(folder, `${at}.xlsx`), bytes: file(), ms: new Array<number>() }))
  for (const { path, bytes } of files) writeFileSync(path, bytes)
  const installed = await install('postgres', bench)
  const { token } = await installed.app.as({ school_id, codes: 'all', scope: 'all' })
  await installed.app.running.close()
  const product = await startProduct(installed.settings)
  for (let round = 0; round < (bench.quick ? 1 : rounds); round += 1) {
    for (const { path, ms } of files) ms.push(await timed(() => refuse({ url: product.url, token }, path)))
  }
  await product.stop()
  const medians = files.map(({ name, ms }) => ({ name, ms: median(ms) }))
  return [
    atMost('the slowest refusal', Math.max(...medians.map(({ ms }) => ms)), limit_ms, milliseconds),
    reported('each', medians.map(({ name, ms }) => `${name} ${milliseconds(ms)}`).join(', ')),
  ]
}

/** A file that is read instead of refused fails the figure. */
async function refuse(desk: Desk, path: string): Promise<void> {
  const { state, message } = await dryRun(desk, path)
  if (state !== 'refused') throw new Error(`${path} is ${state}: ${message}`)
}
