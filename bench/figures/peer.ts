import { studentApi } from '@campus/people/contract'
import { z } from 'zod'
import { mustGet, send } from '../client.ts'
import { atLeast, atMost, milliseconds, reported, times } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { median, perSecond, timedEach } from '../measure.ts'
import { preparePeer } from '../peer.ts'
import { startBare, startForeign, startProduct } from '../product.ts'
import { fillWithPupils, install, settleStatistics } from '../school.ts'

const school_id = 1001
const base = 10_000_000
const lanes = 8

/** The list of pupils beside a general tool, and beside the least that can be done. */
export const peer: Figure = {
  name: 'peer',
  title: 'The list of pupils beside Directus and the floor',
  how: 'Over HTTP on the same PostgreSQL, as an administrator: 20 rows with the total, milliseconds one after the other (median) and requests a second by 8 callers. Directus 11.3.5 reads one flat table with the same rows, the same filter on the school and three indexes for these questions; guardians, completeness and tags it need not tell. The floor is bare node:http over a narrow table of the pupils of today with a counter and a trigram index, without fence, session or transaction. Totals and rows of the three are compared before anything is measured.',
  run: async bench => [...(await measureSchool(bench, 3906)), ...(bench.quick ? [] : await measureSchool(bench, 100_000))],
}

type Case = { name: string; ours: string; theirs: string; floor: string }
type Asked = { what: string; url: string; token: string; cpu_ms(): number }

const cases = (dept_id: string): Case[] => [
  { name: 'list', ours: '', theirs: '', floor: 'list' },
  { name: 'search 雨', ours: `&keyword=${encodeURIComponent('雨')}`, theirs: `&filter[user_name][_contains]=${encodeURIComponent('雨')}`, floor: `sign?of=${encodeURIComponent('%雨%')}` },
  { name: 'by name', ours: `&keyword=${encodeURIComponent('王子')}`, theirs: `&filter[user_name][_contains]=${encodeURIComponent('王子')}`, floor: `name?of=${encodeURIComponent('%王子%')}` },
  { name: 'by number', ours: '&keyword=202600012', theirs: '&filter[student_no][_starts_with]=202600012', floor: `number?of=${encodeURIComponent('202600012%')}` },
  { name: 'by class', ours: `&dept_id=${dept_id}`, theirs: `&filter[dept_id][_eq]=${dept_id}`, floor: `class?of=${dept_id}` },
]

const flat = `select p.user_id, p.school_id, s.student_no, p.user_name, p.name_py, m.dept_id, '01'::text as state, p.sex, p.id_no_mask, p.tel, p.address, p.updated_at
  from person p join student s on s.school_id = p.school_id and s.user_id = p.user_id
  join dept_member m on m.school_id = p.school_id and m.user_id = p.user_id and m.member_kind = 'student' and m.valid_to is null where p.school_id = ${school_id}`

/** Both tables in the database of the product, which Directus shares: its own begin with directus_. */
const peer_sql = `create table pupil as ${flat};
alter table pupil add primary key (user_id);
create index pupil_number on pupil (school_id, state, student_no text_pattern_ops);
create index pupil_class on pupil (school_id, dept_id, state, student_no);
create index pupil_name on pupil using gin (user_name gin_trgm_ops);
create table floor_roll as select user_id, user_name, student_no, dept_id from pupil;
create unique index floor_number on floor_roll (student_no text_pattern_ops);
create index floor_class on floor_roll (dept_id, student_no);
create index floor_name on floor_roll using gin (user_name gin_trgm_ops);
create table floor_count as select count(*)::int as pupils from floor_roll;
vacuum analyze pupil; vacuum analyze floor_roll`

async function measureSchool(bench: Bench, pupils: number): Promise<Line[]> {
  const installed = await install('postgres', bench)
  await fillWithPupils(installed, { school_id, base, pupils, guardians: 'one or two' })
  await settleStatistics(installed)
  for (const statement of peer_sql.split(';')) await installed.exec(statement)
  const { token } = await installed.app.as({ school_id, codes: 'all', scope: 'all' })
  await installed.app.running.close()
  const database_url = installed.admin_url ?? ''
  const directus = await preparePeer(database_url)
  const product = await startProduct(installed.settings)
  const theirs = await startForeign(directus.file, ['start'], '/server/ping', directus.settings)
  const ours_url = `${product.url}${studentApi.list.paths[0]}?page_index=1&page_size=20`
  const bytes = (await send(ours_url, { token })).text.length
  const floor = await startBare('floor-server.ts', { BARE_URL: database_url, FLOOR_BYTES: String(bytes) })
  const theirs_url = `${theirs.url}/items/pupil?limit=20&sort=student_no&meta=filter_count&filter[school_id][_eq]=${school_id}&filter[state][_eq]=01`
  const dept_id = await firstClass(ours_url, token)
  const lines: Line[] = []
  for (const { name, ...asked } of cases(dept_id)) {
    const three: Asked[] = [
      { what: 'product', url: ours_url + asked.ours, token, cpu_ms: product.cpu_ms },
      { what: 'Directus', url: theirs_url + asked.theirs, token: `Bearer ${directus.token}`, cpu_ms: theirs.cpu_ms },
      { what: 'floor', url: `${floor.url}/${asked.floor}`, token: '', cpu_ms: floor.cpu_ms },
    ]
    lines.push(...(await measureCase(bench, `${pupils} ${name}`, three)))
  }
  await Promise.all([product.stop(), theirs.stop(), floor.stop()])
  return lines
}

const Ours = z.object({ data: z.object({ total: z.number(), list: z.array(z.object({ student_no: z.string(), dept_id: z.string().nullable() })) }) })
const Theirs = z.object({ data: z.array(z.object({ student_no: z.string() })), meta: z.object({ filter_count: z.coerce.number() }) })
const Floor = z.object({ data: z.array(z.object({ student_no: z.string(), total: z.number() })) })

async function firstClass(url: string, token: string): Promise<string> {
  return Ours.parse(JSON.parse((await send(url, { token })).text)).data.list[0]?.dept_id ?? ''
}

async function measureCase(bench: Bench, name: string, three: readonly Asked[]): Promise<Line[]> {
  const answers = await Promise.all(three.map(async ({ url, token }) => JSON.parse((await send(url, { token })).text)))
  const ours = Ours.parse(answers[0]).data
  const their = Theirs.parse(answers[1])
  const least = Floor.parse(answers[2]).data
  const numbers = (rows: readonly { student_no: string }[]) => rows.map(row => row.student_no).join()
  const told = [[numbers(ours.list), ours.total], [numbers(their.data), their.meta.filter_count], [numbers(least), least[0]?.total ?? 0]].map(String)
  if (new Set(told).size !== 1) throw new Error(`${name}: the answers differ: ${told.join(' | ')}`)
  const found = three.map(() => ({ ms: Array<number>(), rate: Array<number>(), cpu: Array<number>() }))
  const rounds = bench.quick ? 1 : 3
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, { url, token, cpu_ms }] of three.entries()) {
      const ms = median(await timedEach(10, () => mustGet(url, token)))
      const used_before = cpu_ms()
      const span_ms = bench.quick ? 500 : 1500
      const rate = await perSecond(lanes, span_ms, () => mustGet(url, token))
      if (round === 0) continue
      found[at]?.ms.push(ms)
      found[at]?.rate.push(rate)
      found[at]?.cpu.push((cpu_ms() - used_before) / ((rate * span_ms) / 1000))
    }
  }
  const [us, them, floor] = found.map(({ ms, rate, cpu }) => ({ ms: median(ms), rate: median(rate), cpu: median(cpu) }))
  if (!us || !them || !floor) throw new Error('nothing was measured')
  const shown = [us, them, floor].map(({ ms, rate }) => `${milliseconds(ms)} · ${rate.toFixed(0)}/s`).join(', ')
  bench.say(`${name}: ${shown}`)
  return [
    reported(`${name} (${ours.total}): product, Directus, floor`, shown),
    atMost(`${name}: ms ÷ Directus`, us.ms / them.ms, 1, times, '20-A3'),
    atLeast(`${name}: requests a second ÷ Directus`, us.rate / them.rate, 1, times),
    reported(`${name}: the process's own CPU a request: product, Directus, floor`, [us, them, floor].map(one => milliseconds(one.cpu)).join(', ')),
    reported(`${name}: ms ÷ floor; floor's requests a second ÷ ours`, `${times(us.ms / floor.ms)}; ${times(floor.rate / us.rate)}`),
  ]
}
