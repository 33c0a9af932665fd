import { cpSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPglite } from './pglite-client.ts'

const root = mkdtempSync(join(tmpdir(), 'damaged-'))
const whole = join(root, 'whole')

beforeAll(async () => {
  const { source } = await openPglite(whole, {})
  await source.close()
}, 60_000)
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Opens a copy of the directory after something happened to one of its files. @returns what is said, nothing when it opens */
async function opened(harm: (pg: string) => void): Promise<string> {
  const copy = join(root, `copy-${Math.random()}`)
  cpSync(whole, copy, { recursive: true })
  harm(join(copy, 'pg'))
  const { source } = await openPglite(copy, {}).catch((error: unknown) => ({ source: String(error) }))
  if (typeof source === 'string') return source.replaceAll(copy, '')
  await source.close()
  return ''
}

test('a directory that nobody has touched opens again', async () => {
  expect(await opened(() => {})).toBe('')
}, 60_000)

test.each([
  ['pg_control', 'global/pg_control', (pg: string) => writeFileSync(join(pg, 'global/pg_control'), Buffer.alloc(8192, 7))],
  ['a log cut short', 'pg_wal/000000010000000000000001', (pg: string) => truncateSync(join(pg, 'pg_wal/000000010000000000000001'), 100)],
  ['a folder that is gone', 'pg_xact', (pg: string) => rmSync(join(pg, 'pg_xact'), { recursive: true })],
  ['a table of the catalogue cut short', 'base/5/1249', (pg: string) => truncateSync(join(pg, 'base/5/1249'), 4096)],
])('%s: the file is named, and that a restore is the way', async (_name, file, harm) => {
  const said = await opened(harm)
  expect(said).toContain(`the database is damaged: /pg/${file}`)
  expect(said).toContain('campus restore')
}, 60_000)
