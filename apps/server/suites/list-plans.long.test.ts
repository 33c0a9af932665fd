import { isDownload } from '@kit/contract'
import type { Call } from '@kit/contract'
import { describeCatalogue } from '@kit/server/db'
import { CompiledQuery, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { domains } from '../domains.ts'
import { startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'
import { growTables } from './grow-tables.ts'
import { buildCall, makeWorld } from './make-world.ts'
import { scanning_lists } from './scanning-lists.ts'
import type { World } from './world.ts'

/** Rows of every growing table. */
const rows_each = Number(process.env.CAMPUS_TEST_ROWS ?? 20_000)
const growing_ms = 3_600_000
const patience_ms = 300_000
const Input = z.record(z.string(), z.unknown())

type Statement = { text: string; values: unknown[] }
type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Plan Rows': number; Plans?: Plan[] }
type Asked = { call: Call; input: Record<string, unknown>; token: string; headers: Record<string, string> | undefined }

let app: TestApp
let world: World
let grown: Set<string>
const asked = new Map<string, Asked>()
let tapped: Statement[] = []

const paged = domains.flatMap(domain => domain.routes).map(route => route.call).filter(call => fieldsOf(call).has('page_index') && !isDownload(call))

function fieldsOf({ details: { query, body } }: Call): Set<string> {
  const schema = query ?? body
  return new Set(schema !== undefined && 'shape' in schema && typeof schema.shape === 'object' && schema.shape !== null ? Object.keys(schema.shape) : [])
}

describe.skipIf(process.env.CAMPUS_TEST_ENGINE !== 'postgres')(`lists over ${rows_each} rows of each growing table`, () => {
  beforeAll(async () => {
    app = await startTestApp()
    world = await makeWorld(app, test_schools.a)
    for (const call of paged) {
      const { input, token, headers } = await buildCall(call, world)
      asked.set(call.call, { call, input: Input.parse(input), token: token ?? world.me.token, headers })
    }
    grown = await growTables(await adminUrl(app), await app.running.database.owner(describeCatalogue), test_schools.a, rows_each)
    tapStatements()
  }, growing_ms)
  afterAll(() => app.close())

  test('the tables that grow are most of those that lists read', () => expect(grown.size).toBeGreaterThan(40))

  test.each(paged.map(call => [call.call, scanning_lists.has(call.call) ? 'still reads a growing table whole' : 'scans no growing table, and hashes none as a whole']))('%s %s', async name => {
    const one = asked.get(name)
    if (!one) throw new Error(`${name} was not built`)
    const found = [...(await faultsOf(one, {})), ...(fieldsOf(one.call).has('keyword') ? await faultsOf(one, { keyword: '雨' }) : [])]
    expect(found.length > 0, found.join('\n')).toBe(scanning_lists.has(name))
  }, patience_ms)
})

async function adminUrl({ running }: TestApp): Promise<string> {
  const { rows } = await running.database.owner(db => sql<{ name: string }>`select current_database() as name`.execute(db))
  return Object.assign(new URL(process.env.CAMPUS_TEST_PG_ADMIN_URL ?? ''), { pathname: rows[0]?.name ?? '' }).href
}

/** Keeps what the server sends to PostgreSQL: it runs in this process. */
function tapStatements(): void {
  const send = pg.Client.prototype.query
  pg.Client.prototype.query = new Proxy(send, {
    apply(target, client, given: unknown[]) {
      const [query] = given
      if (typeof query === 'object' && query !== null && 'text' in query && typeof query.text === 'string' && 'values' in query && Array.isArray(query.values)) tapped.push({ text: query.text, values: query.values })
      return Reflect.apply(target, client, given)
    },
  })
}

async function faultsOf({ call, input, token, headers }: Asked, more: Record<string, unknown>): Promise<string[]> {
  tapped = []
  const begun = performance.now()
  const answer = await app.call(call, { ...input, ...more, page_index: 1 }, { token, ...(headers ? { headers } : {}) })
  const ms = performance.now() - begun
  process.stdout.write(`${Math.round(ms)} ms ${call.call} ${JSON.stringify(more)} ${answer.status}\n`)
  const statements = tapped.filter(({ text }) => /^\s*(select|with)\b/i.test(text))
  const faults: string[] = []
  for (const { text, values } of statements) faults.push(...(await planOf(text, values)).map(fault => `${fault} in ${text.replaceAll(/\s+/g, ' ').slice(0, 300)}`))
  return [...new Set(faults)]
}

async function planOf(text: string, values: unknown[]): Promise<string[]> {
  const { rows } = await app.running.database.tenant(test_schools.a, db => db.executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>(CompiledQuery.raw(`explain (format json) ${text}`, values)))
  return rows.flatMap(row => row['QUERY PLAN'].flatMap(({ Plan: plan }) => faultsIn(plan)))
}

function faultsIn(plan: Plan): string[] {
  const relation = plan['Relation Name']
  const own = plan['Node Type'] === 'Seq Scan' && relation !== undefined && grown.has(relation) ? [`scans ${relation}`] : []
  const hash = plan['Node Type'] === 'Hash' && plan['Plan Rows'] > rows_each / 2 ? [`hashes ${plan['Plan Rows']} rows`] : []
  return [...own, ...hash, ...(plan.Plans ?? []).flatMap(faultsIn)]
}
