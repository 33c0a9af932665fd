import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startTestApp, test_schools } from '../testing/index.ts'

const Told = z.looseObject({ env: z.string(), version: z.string(), build_id: z.string(), ribbon: z.string().optional(), brand_title: z.string().optional() })
const patience_ms = 240_000
const asset = /(?:src|href)="\/(assets\/[^"]+)"/g

/** Secrets of this run: those of the tests open the test environment alone. */
const secrets = Object.fromEntries(['TOKEN_KEY', 'DATA_KEY', 'ID_INDEX_KEY', 'SEAL_KEY', 'SM2_KEY'].map(name => [`CAMPUS_SECRET_${name}`, randomBytes(32).toString('hex')]))

/** What one start with these variables shows: the bundle it serves, and what the page is told. */
async function startWith(settings: Record<string, string>) {
  const app = await startTestApp({ settings: { ...secrets, ...settings } })
  try {
    const page = await (await fetch(`${app.url}/`)).text()
    const files = [...page.matchAll(asset)].map(([, path = '']) => path).toSorted()
    const hash = createHash('sha256')
    for (const path of files) hash.update(path).update(Buffer.from(await (await fetch(`${app.url}/${path}`)).arrayBuffer()))
    const alive = await (await fetch(`${app.url}/livez`)).json()
    const told = Told.parse(JSON.parse(/id="campus-settings">([^<]*)</.exec(page)?.[1] ?? '{}'))
    const { rows } = await app.running.database.tenant(test_schools.a, db => sql`select gps_type, oss_type from school_config where school_id = ${test_schools.a}`.execute(db))
    return { bundle: files.length > 0 ? hash.digest('hex') : 'not built', alive, told, page, school: rows[0] }
  } finally {
    await app.close()
  }
}

test('one build starts with every environment and every profile by variables alone; the bundle is the same in all', async () => {
  const dev = await startWith({ CAMPUS_ENV: 'dev', CAMPUS_PROFILE: 'demo' })
  const tested = await startWith({})
  const pre = await startWith({ CAMPUS_ENV: 'pre', CAMPUS_PROFILE: 'intranet,region-sample' })
  const prod = await startWith({ CAMPUS_ENV: 'prod', CAMPUS_PROFILE: 'mlps3,region-sample' })
  const all = [dev, tested, pre, prod]
  expect(new Set(all.map(({ bundle }) => bundle)).size).toBe(1)
  expect(prod.bundle).not.toBe('not built')
  expect(all.map(({ told }) => [told.env, told.ribbon, told.brand_title])).toEqual([
    ['dev', undefined, undefined], ['test', undefined, undefined], ['pre', '预发布环境', '示例市智慧校园'], ['prod', undefined, '示例市智慧校园'],
  ])
  for (const { told, alive } of all) expect(alive).toEqual({ status: 'ok', version: '1.4.9', build_id: told.build_id })
  expect(all.map(({ school }) => school)).toEqual([{ gps_type: 1, oss_type: 2 }, { gps_type: 1, oss_type: 2 }, { gps_type: 3, oss_type: 3 }, { gps_type: 3, oss_type: 3 }])
  // The page learns nothing of the inside.
  for (const { page } of all) expect(page).not.toMatch(/[0-9a-f]{64}|DATABASE|CAMPUS_|sms\.region-sample/)
}, patience_ms)
