import { studentApi } from '@campus/people/contract'
import { readSheet } from '@kit/server/excel'
import { mustGet } from '../client.ts'
import { copyDatabase, copyRows, named } from '../copy-baseline.ts'
import { atMost, megabytes, milliseconds, reported, seconds, times } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { apply, dryRun, skipErrors } from '../import-run.ts'
import { median, percentile, timed, timedEach } from '../measure.ts'
import { watchMemory } from '../memory.ts'
import { startProbe } from '../probe.ts'
import { scratchFolder, startProduct } from '../product.ts'
import { dayOf, install } from '../school.ts'
import { writeSheets } from '../sheets.ts'
import { enter, sealLogin } from '../sign-in.ts'

const demo = { CAMPUS_PROFILE: 'demo' }
const demo_password = 'Demo@Pass26'
const list_path = `${studentApi.list.paths[0]}?page_index=1&page_size=20`
const bad_every = 10

/** A new school puts its pupils in from a sheet. */
export const importSheet: Figure = {
  name: 'import-sheet',
  title: 'Importing a sheet of 10,000 pupils',
  how: 'Dry run and apply of 10,000 new pupils with their guardians, over HTTP on PostgreSQL, each round into the new school of a fresh copy of the demo; the baseline reads the same sheet and writes the rows the apply wrote by COPY into another copy, with every index and constraint. Meanwhile another person pages through the roll every 50 ms.',
  run,
}

/** Databases of the figure: the demo, copied for every round. */
type World = { settings: Record<string, string>; admin_url: string; seed: string; clean: string; spoiled: string; rows: number }
type Round = { dry_ms: number; apply_ms: number; applied: number; grown: number; beside: number[] }

async function run(bench: Bench): Promise<Line[]> {
  const world = await prepare(bench)
  const rounds: (Round & { bare_ms: number; parse_ms: number; copied: number })[] = []
  for (let round = 0; round < (bench.quick ? 1 : 3); round += 1) rounds.push(await oneRound(world, round))
  const bad = await importInto(world, `${world.seed}_bad`, world.spoiled)
  const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick))
  const beside = rounds.flatMap(round => round.beside)
  return [
    atMost(`${world.rows.toLocaleString('en')} rows: dry run + apply ÷ parse + COPY`, of(one => (one.dry_ms + one.apply_ms) / one.bare_ms), 4, times),
    atMost('dry run', of(one => one.dry_ms), 30_000, seconds, '10-A25'),
    atMost('memory grown by', Math.max(...rounds.map(one => one.grown)), 300e6, megabytes, '10-A25'),
    atMost('p99 of other calls meanwhile', percentile(beside, 0.99), 500, milliseconds, '10-A25'),
    atMost(`with ${(world.rows - bad.applied).toLocaleString('en')} bad rows: dry run + apply of the other ${bad.applied.toLocaleString('en')}`, bad.dry_ms + bad.apply_ms, 30_000, seconds, '20-A19'),
    reported('the same: memory grown by, with the bad rows left out one by one between the two', megabytes(bad.grown)),
    reported('dry run, apply; parse, COPY', `${seconds(of(one => one.dry_ms))}, ${seconds(of(one => one.apply_ms))}; ${seconds(of(one => one.parse_ms))}, ${seconds(of(one => one.bare_ms - one.parse_ms))}`),
    reported('rows of the tables that COPY wrote', String(rounds[0]?.copied)),
  ]
}

async function prepare(bench: Bench): Promise<World> {
  const { app, settings, admin_url } = await install('postgres', bench)
  const today = dayOf(app.clock.now())
  await app.running.close()
  const product = await startProduct({ ...settings, ...demo })
  await product.stop()
  const rows = bench.quick ? 1000 : 10_000
  const school_year = Number(today.slice(0, 4)) - (today.slice(5) < '09-01' ? 1 : 0)
  const { clean, spoiled } = await writeSheets(scratchFolder('sheets'), { pupils: rows, school_year, bad_every })
  const seed = new URL(admin_url ?? '').pathname.slice(1)
  return { settings, admin_url: admin_url ?? '', seed, clean, spoiled, rows }
}

async function oneRound(world: World, round: number) {
  const { admin_url, seed, clean } = world
  const [filled, empty] = [`${seed}_run${round}`, `${seed}_bare${round}`]
  const product = await importInto(world, filled, clean)
  await copyDatabase(named(admin_url, 'postgres'), seed, empty)
  const parse_ms = await timed(() => readSheet(clean))
  const { ms, rows } = await copyRows(named(admin_url, empty), named(admin_url, filled))
  return { ...product, parse_ms, bare_ms: parse_ms + ms, copied: rows }
}

async function importInto({ settings, admin_url, seed }: World, database: string, sheet: string): Promise<Round> {
  await copyDatabase(named(admin_url, 'postgres'), seed, database)
  const urls = Object.fromEntries(['DATABASE_URL', 'DATABASE_OWNER_URL'].map(name => [name, named(settings[name] ?? '', database)]))
  const product = await startProduct({ ...settings, ...demo, ...urls })
  const { token } = await enter(product.url, await sealLogin(product.url, 'xinxiao01', demo_password))
  await timedEach(30, () => mustGet(`${product.url}${list_path}`, token))
  const memory = watchMemory(product)
  const probe = startProbe(`${product.url}${list_path}`, { token, pause_ms: 50 })
  const desk = { url: product.url, token }
  let batch_no = ''
  const dry_ms = await timed(async () => {
    const batch = await dryRun(desk, sheet)
    if (batch.state !== 'parsed') throw new Error(`the sheet was ${batch.state}: ${batch.message}`)
    batch_no = batch.batch_no
  })
  await skipErrors(desk, batch_no)
  let applied = 0
  const apply_ms = await timed(async () => {
    applied = (await apply(desk, batch_no)).rows_applied
  })
  const beside = await probe.stop()
  const grown = memory.stop()
  await product.stop()
  return { dry_ms, apply_ms, applied, grown, beside }
}
