import { personPageApi, studentApi, userDeleteApi } from '@campus/people/contract'
import type { Db } from '@kit/server/db'
import pg from 'pg'
import { mustGet } from '../client.ts'
import { atLeast, atMost, milliseconds, reported, seconds, times } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { bareList, poolQuery } from '../list-sql.ts'
import type { Query } from '../list-sql.ts'
import { compare, median, percentile, perSecond, timed, timedEach } from '../measure.ts'
import type { Compared } from '../measure.ts'
import { startBare, startProduct } from '../product.ts'
import { dayOf, fillWithPupils, install, settleStatistics } from '../school.ts'
import type { Installed } from '../school.ts'

const school_id = 1001
const base = 10_000_000
const sign = '雨'
const lanes = 8

/** The roll of a very large school. */
export const list: Figure = {
  name: 'list',
  title: 'The roll of 100,000 pupils',
  how: 'Over HTTP, first page of 20 with total and guardians; the baseline is the same four statements (which pupils, their rows, how many, their guardians) written by hand, sent by a superuser through pg, without fence or transaction. Requests a second by 8 callers against bare node:http with the same statements and the same pool.',
  run: async bench => [...(await onPostgres(bench)), ...(await onEmbedded(bench))],
}

const path = studentApi.list.paths[0] ?? ''
const plain = `${path}?page_index=1&page_size=20`
const searched = `${plain}&keyword=${encodeURIComponent(sign)}`

async function prepare(engine: 'postgres' | 'pglite', bench: Bench, pupils: number): Promise<Installed & { token: string; on: string }> {
  const installed = await install(engine, bench)
  const filled_ms = await timed(async () => {
    await fillWithPupils(installed, { school_id, base, pupils, guardians: 'one or two' })
    await settleStatistics(installed)
  })
  bench.say(`${engine}: ${shown(pupils)} pupils loaded in ${seconds(filled_ms)}`)
  const { token } = await installed.app.as({ school_id, codes: 'all', scope: 'all' })
  return { ...installed, token, on: dayOf(installed.app.clock.now()) }
}

async function onPostgres(bench: Bench): Promise<Line[]> {
  const pupils = bench.quick ? 10_000 : 100_000
  const { app, settings, admin_url, token, on } = await prepare('postgres', bench, pupils)
  await app.running.close()
  const pool = new pg.Pool({ connectionString: admin_url ?? '', max: 1 })
  const product = await startProduct(settings)
  const bare = await startBare('bare-server.ts', { BARE_URL: admin_url ?? '', BARE_DAY: on })
  const ask = (what: string) => mustGet(`${product.url}${what}`, token)
  const page = await compareList(bench, () => ask(plain), () => bareList(poolQuery(pool), { school_id, on }))
  const search = await compareList(bench, () => ask(searched), () => bareList(poolQuery(pool), { school_id, on, keyword: sign }))
  const rounds = bench.quick ? 1 : 3
  const ms = bench.quick ? 1000 : 5000
  const rate = await compare(rounds, () => perSecond(lanes, ms, () => ask(plain)), () => perSecond(lanes, ms, () => mustGet(`${bare.url}/list?school_id=${school_id}`, '')))
  const quick_ones = await p95Of(bench, ask)
  await Promise.all([product.stop(), bare.stop(), pool.end()])
  return [
    atMost(`list of 20 of ${shown(pupils)}: HTTP ÷ bare SQL`, page.ratio, 3, times, '20-A3'),
    atMost('the same searched by one Chinese sign: HTTP ÷ bare SQL', search.ratio, 5, times, '20-A3'),
    ...quick_ones,
    atLeast('requests a second ÷ bare node:http', rate.ratio, 0.5, times),
    reported('list: product, bare SQL', `${milliseconds(page.subject_median)}, ${milliseconds(page.baseline_median)}`),
    reported('search: product, bare SQL', `${milliseconds(search.subject_median)}, ${milliseconds(search.baseline_median)}`),
    reported('requests a second: product, bare', `${rate.subject_median.toFixed(1)}, ${rate.baseline_median.toFixed(1)}`),
  ]
}

/** Other pages of the same school that are promised a time. */
async function p95Of(bench: Bench, ask: (what: string) => Promise<number>): Promise<Line[]> {
  const often = async (asked = '') => percentile(await timedEach(bench.quick ? 10 : 60, () => ask(asked)), 0.95)
  const of_pupil = (asked = '') => asked.replace(':id', String(base + 1))
  return [
    atMost('settings of deletion, p95', await often(userDeleteApi.config.paths[0]), 200, milliseconds, '20-A26'),
    atMost('head of a pupil, p95', await often(of_pupil(personPageApi.head.paths[0])), 1000, milliseconds, '20-A34'),
    atMost('his timeline with every lane, p95', await often(of_pupil(personPageApi.timeline.paths[0])), 1500, milliseconds, '20-A34'),
  ]
}

/** The embedded engine answers from this process; its baseline are the statements through its own handle. */
async function onEmbedded(bench: Bench): Promise<Line[]> {
  const pupils = bench.quick ? 4000 : 20_000
  const { app, token, on } = await prepare('pglite', bench, pupils)
  const ask = (what: string) => mustGet(`${app.url}${what}`, token)
  const bare = () => app.running.database.tenant<unknown, unknown>(school_id, db => bareList(handleQuery(db), { school_id, on }), { read_only: true })
  const page = await compareList(bench, () => ask(plain), bare)
  await app.running.close()
  return [reported(`embedded engine, list of 20 of ${shown(pupils)}: product, bare SQL`, `${milliseconds(page.subject_median)}, ${milliseconds(page.baseline_median)}`)]
}

function compareList(bench: Bench, ask: () => Promise<number>, bare: () => Promise<unknown>): Promise<Compared> {
  const each = bench.quick ? 3 : 6
  const http = async () => median(await timedEach(each, ask))
  const sql = async () => median(await timedEach(each, bare))
  return compare(bench.quick ? 2 : 5, http, sql)
}

/** Statements over a handle of the product, as raw texts. */
function handleQuery(db: Db): Query {
  return async (text, values) => {
    const query = { kind: 'RawNode' as const, sqlFragments: [text], parameters: [] }
    const { rows } = await db.executeQuery<Record<string, unknown>>({ sql: text, parameters: [...values], query, queryId: { queryId: text } })
    return rows
  }
}

function shown(count: number): string {
  return count.toLocaleString('en')
}
