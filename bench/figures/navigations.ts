import { gzipSync } from 'node:zlib'
import { navigationApi } from '@campus/school/contract'
import pg from 'pg'
import { mustGet, send } from '../client.ts'
import { atMost, kibibytes, milliseconds, reported, times } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { compare, median, timedEach } from '../measure.ts'
import { startProduct } from '../product.ts'
import { install } from '../school.ts'

const school_id = 1001
const most_bytes = 60_000

/** What the product reads for a menu, by hand: the school, what it says of its pages and modules, what its sub-applications are set to, and the chosen quick row. */
const statements = [
  'select * from school where school_id = $1',
  'select nav_id, show_name, icon, "order", hidden from school_nav where school_id = $1',
  'select * from school_module where school_id = $1 order by valid_from',
  'select * from school_module where school_id = $1',
  "select user_id, value from user_pref where school_id = $1 and pref_key = 'quick_navs'",
]

/** The menu that every page load begins with. */
export const navigations: Figure = {
  name: 'navigations',
  title: 'The menu of a page load',
  how: 'Over HTTP, the whole menu with every permission; the baseline is its five statements written by hand, sent one after the other by a superuser through pg, without fence or transaction. Its size is that of the body after gzip.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const { app, settings, admin_url } = await install('postgres', bench)
  const { token, role_id } = await app.as({ school_id, codes: 'all', scope: 'all' })
  await app.running.close()
  const product = await startProduct(settings)
  const pool = new pg.Pool({ connectionString: admin_url ?? '', max: 1 })
  const asked = `${product.url}${navigationApi.list.paths[0]}?type=0&role_id=${role_id}&app_code=app_education_platform`
  const each = bench.quick ? 5 : 30
  const http = async () => median(await timedEach(each, () => mustGet(asked, token)))
  const sql = async () => median(await timedEach(each, () => bare(pool)))
  const menu = await compare(bench.quick ? 2 : 5, http, sql)
  const { text } = await send(asked, { token })
  await Promise.all([product.stop(), pool.end()])
  return [
    atMost('menu: HTTP ÷ its bare SQL', menu.ratio, 3, times, '10-A23'),
    atMost('menu after gzip', gzipSync(text).byteLength, most_bytes, kibibytes, '10-A23'),
    reported('menu: product, bare SQL', `${milliseconds(menu.subject_median)}, ${milliseconds(menu.baseline_median)}`),
  ]
}

async function bare(pool: pg.Pool): Promise<void> {
  for (const text of statements) await pool.query(text, [school_id])
}
