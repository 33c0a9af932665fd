import { mkdir, readdir, readFile, rm, writeFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureUsers } from '@campus/identity/server'
import { makeMonths, openDatabase, readMonths } from '@kit/server/db'
import type { Database } from '@kit/server/db'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkedTables, checksum } from '../testing/checksum.ts'
import { emptyDatabase, startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'
import { writeBackup } from './backup.ts'
import { restoreBackup, verifyBackup } from './restore.ts'

const schools = Object.values(test_schools)
let app: TestApp
let root: string
let folder: string

beforeAll(async () => {
  app = await startTestApp()
  root = await mkdtemp(join(tmpdir(), 'campus-backup-'))
  folder = join(root, 'good')
  const people = Array.from({ length: 1200 }, (_, at) => ({ user_no: `B${at}`, user_name: `备份"${at}',\\${'𠀀'}\u2028`, user_kind: 1 }))
  await app.running.database.tenant<unknown, unknown>(test_schools.a, db => ensureUsers(db, test_schools.a, people))
  await app.as({ school_id: test_schools.b, codes: 'all' })
  // No migration makes these, of a table divided by day and of one divided by moment: the one is over, the other far ahead.
  await makeMonths(app.running.database, { message: ['2026-09'], operation_log: ['2027-09'] })
  await writeBackup(app.running.database, join(root, 'none'), folder)
})
afterAll(async () => {
  await app.close()
  await rm(root, { recursive: true, force: true })
})

const monthsIn = (database: Database) => database.tenant(0, readMonths)

/** Over the tables of the installation that was backed up. */
const checksumOf = async (database: Database) => checksum(database, await checkedTables(app.running.database), schools)

test('a backup is proved by restoring it into memory', async () => {
  const manifest = await verifyBackup(folder)
  expect(manifest.schools).toEqual(expect.arrayContaining(schools))
  expect(manifest.tables.find(table => table.name === 'school_user')?.rows).toBeGreaterThanOrEqual(1201)
})

test('a restored installation equals the one it came from, table by table, on the engine under test', async () => {
  const target = await emptyDatabase()
  try {
    await restoreBackup(target.database, null, folder)
    expect(await checksumOf(target.database)).toBe(await checksumOf(app.running.database))
    expect(await monthsIn(target.database), 'a row goes with its month there too').toEqual(await monthsIn(app.running.database))
    const again = restoreBackup(target.database, null, folder)
    await expect(again).rejects.toThrow('not empty')
    const [next] = await target.database.tenant<unknown, string[]>(test_schools.a, db => ensureUsers(db, test_schools.a, [{ user_no: 'NEW', user_name: '新', user_kind: 1 }]))
    expect(Number(next)).toBeGreaterThan(1200)
  } finally {
    await target.drop()
  }
})

test('a changed or cut backup is refused, naming the table', async () => {
  const damaged = join(root, 'damaged')
  await writeBackup(app.running.database, join(root, 'none'), damaged)
  const file = join(damaged, 'school_user.jsonl.gz')
  const text = gunzipSync(await readFile(file)).toString()
  await writeFile(file, gzipSync(text.replace('备份', '改份')))
  await expect(verifyBackup(damaged)).rejects.toThrow('school_user')
})

test.each([
  ['school_user.jsonl.gz', 'restore --verify says it of a table'],
  ['files/1/logo.svg', 'of a stored file'],
  ['manifest.json', 'of the manifest'],
])('one changed byte of %s is said as such: %s', async name => {
  const changed = join(root, `changed-${name.replaceAll('/', '-')}`)
  const stored = join(root, 'stored')
  await mkdir(join(stored, 'files/1'), { recursive: true })
  await writeFile(join(stored, 'files/1/logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeBackup(app.running.database, stored, changed)
  const bytes = await readFile(join(changed, name))
  const middle = Math.floor(bytes.length / 2)
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
  await writeFile(join(changed, name), bytes)
  await expect(verifyBackup(changed)).rejects.toThrow(`backup is damaged: ${join(changed, name)}: `)
})

test('a cut file and a lost one are said as such', async () => {
  const cut = join(root, 'cut')
  await writeBackup(app.running.database, join(root, 'none'), cut)
  const file = join(cut, 'school_user.jsonl.gz')
  await writeFile(file, (await readFile(file)).subarray(0, 2000))
  await expect(verifyBackup(cut)).rejects.toThrow(`backup is damaged: ${file}: `)
  await rm(file)
  await expect(verifyBackup(cut)).rejects.toThrow(`backup is damaged: ${file}: it is missing`)
})

test('a second backup never overwrites the first', async () => {
  await expect(writeBackup(app.running.database, join(root, 'none'), folder)).rejects.toThrow('already holds a backup')
  expect(await readdir(folder)).toContain('manifest.json')
})

test('an embedded database on disk is backed up and restored with its files', async () => {
  const data_dir = join(root, 'data')
  const database = await openDatabase({ data_dir: join(data_dir, 'db'), durable: false })
  await restoreBackup(database, data_dir, folder)
  expect(await checksumOf(database)).toBe(await checksumOf(app.running.database))
  await database.close()
})
