import { systemLogApi } from '@campus/audit/contract'
import pg from 'pg'
import { fillLog, barePage } from '../audit-sql.ts'
import { send } from '../client.ts'
import { atMost, milliseconds, reported, seconds, times } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { poolQuery } from '../query.ts'
import { compare, median, timed, timedEach } from '../measure.ts'
import { startProduct } from '../product.ts'
import { dayOf, install, settleStatistics } from '../school.ts'

const school_id = 1001
const days = 365
const span_days = 92
const deep_page = 500
const day_ms = 86_400_000
const most_ms = 300

/** The log of a very large school. */
export const auditLog: Figure = {
  name: 'audit-log',
  title: 'The operation log of 5,000,000 rows',
  how: 'Over HTTP, 20 rows of 92 of 365 days with three filters and the bounded total; the baseline is the same keyset statement and count written by hand, sent by a superuser through pg, without fence or transaction. The deep page is reached by its cursor.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const rows = bench.quick ? 200_000 : 5_000_000
  const installed = await install('postgres', bench)
  const now = installed.app.clock.now()
  const filled_ms = await timed(async () => {
    await installed.exec(fillLog({ school_id, rows, days, until: now.toISOString() }))
    await settleStatistics(installed)
  })
  bench.say(`${rows.toLocaleString('en')} rows loaded in ${seconds(filled_ms)}`)
  const { token } = await installed.app.as({ school_id, codes: 'all', scope: 'all' })
  await installed.app.running.close()
  const product = await startProduct(installed.settings)
  const pool = new pg.Pool({ connectionString: installed.admin_url ?? '', max: 1 })
  const from = dayOf(new Date(now.getTime() - (span_days - 1) * day_ms))
  const to = dayOf(now)
  const asked = `${product.url}${systemLogApi.page.paths[0]}?from=${from}&to=${to}&module=people&op_type=4&ok=1&page_size=20`
  const question = { school_id, begin: `${from}T00:00:00+08:00`, end: `${dayOf(new Date(now.getTime() + day_ms))}T00:00:00+08:00`, module: 'people', op_type: 4, ok: true }
  const each = bench.quick ? 3 : 10
  const rounds = bench.quick ? 2 : 5
  const first = async () => median(await timedEach(each, () => pageOf(asked, token)))
  const bare = async () => median(await timedEach(each, () => barePage(poolQuery(pool), question)))
  const page = await compare(rounds, first, bare)
  const deep_cursor = await cursorAt(asked, token, bench.quick ? 50 : deep_page)
  const deep = await compare(rounds, async () => median(await timedEach(each, () => pageOf(`${asked}&cursor=${encodeURIComponent(deep_cursor)}`, token))), first)
  await Promise.all([product.stop(), pool.end()])
  return [
    atMost('page of 20 with three filters: HTTP ÷ bare keyset SQL', page.ratio, 3, times, '10-A23'),
    atMost('the same, of a page', page.subject_median, most_ms, milliseconds, '10-A23'),
    atMost(`page ${bench.quick ? 50 : deep_page} ÷ page 1`, deep.ratio, 1.5, times, '10-A23'),
    reported('page: product, bare SQL', `${milliseconds(page.subject_median)}, ${milliseconds(page.baseline_median)}`),
  ]
}

/** One page; answers the cursor of the older one. */
async function pageOf(url: string, token: string): Promise<string> {
  const { status, text } = await send(url, { token })
  if (status !== 200) throw new Error(`${url}: ${status} ${text.slice(0, 200)}`)
  const { data } = systemLogAnswer(text)
  return data.older ?? ''
}

function systemLogAnswer(text: string): { data: { older: string | null } } {
  return JSON.parse(text)
}

async function cursorAt(url: string, token: string, page: number): Promise<string> {
  let cursor = await pageOf(url, token)
  for (let at = 2; at < page; at += 1) cursor = await pageOf(`${url}&cursor=${encodeURIComponent(cursor)}`, token)
  return cursor
}
