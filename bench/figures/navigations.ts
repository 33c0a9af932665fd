import { gzipSync } from 'node:zlib'
import { navigationApi } from '@campus/school/contract'
import pg from 'pg'
import { mustGet, send } from '../client.ts'
import { atMost, kibibytes, milliseconds, reported, times } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { poolQuery } from '../query.ts'
import { compare, median, timedEach } from '../measure.ts'
import { bareMenu } from '../menu-sql.ts'
import { startBare, startProduct } from '../product.ts'
import { install } from '../school.ts'

const school_id = 1001
const most_bytes = 60_000

/** The menu that every page load begins with. */
export const navigations: Figure = {
  name: 'navigations',
  title: 'The menu of a page load',
  how: 'Over HTTP, the whole menu with every permission; the baseline is its four statements written by hand, sent one after the other by a superuser through pg, without fence, transaction or session, answered as JSON by a bare node:http server (docs/decisions/0021-the-menu-against-http.md). Its size is that of the body after gzip.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const { app, settings, admin_url } = await install('postgres', bench)
  const { token, role_id } = await app.as({ school_id, codes: 'all', scope: 'all' })
  await app.running.close()
  const product = await startProduct(settings)
  const bare = await startBare('bare-server.ts', { BARE_URL: admin_url ?? '' })
  const pool = new pg.Pool({ connectionString: admin_url ?? '', max: 1 })
  const asked = `${product.url}${navigationApi.list.paths[0]}?type=0&role_id=${role_id}&app_code=app_education_platform`
  const each = bench.quick ? 5 : 30
  const http = async () => median(await timedEach(each, () => mustGet(asked, token)))
  const by_hand = async () => median(await timedEach(each, () => mustGet(`${bare.url}/menu?school_id=${school_id}`, '')))
  const rounds = bench.quick ? 2 : 5
  const menu = await compare(rounds, http, by_hand)
  const sql = median(await timedEach(each * rounds, () => bareMenu(poolQuery(pool), school_id)))
  const { text } = await send(asked, { token })
  await Promise.all([product.stop(), bare.stop(), pool.end()])
  return [
    atMost('menu: the product ÷ its SQL over bare node:http', menu.ratio, 3, times, '10-A23'),
    atMost('menu after gzip', gzipSync(text).byteLength, most_bytes, kibibytes, '10-A23'),
    reported('menu: product, over bare node:http, SQL alone', [menu.subject_median, menu.baseline_median, sql].map(milliseconds).join(', ')),
  ]
}
