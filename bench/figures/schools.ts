import { studentApi } from '@campus/people/contract'
import { mustGet } from '../client.ts'
import { atMost, milliseconds, reported, seconds, times } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { compare, percentile, timed, timedEach } from '../measure.ts'
import { startProduct } from '../product.ts'
import { addOneSchool, fillWithPupils, install, settleStatistics } from '../school.ts'
import type { Installed } from '../school.ts'

const first_school = 2001
const callers = 10
const list_path = `${studentApi.list.paths[0]}?page_index=1&page_size=20`

/** A school must not notice the others. */
export const schools: Figure = {
  name: 'schools',
  title: 'Two hundred schools of 4,000 pupils',
  how: 'The list of 20 in one database with 200 schools, asked by ten people of ten schools in turn, against the list in a database with one school, asked by ten people of it. Both servers run on the same PostgreSQL and take turns.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const count = bench.quick ? 10 : 200
  const pupils = bench.quick ? 500 : 4000
  const many = await prepare(bench, count, pupils)
  const alone = await prepare(bench, 1, pupils)
  const crowd = await startProduct(many.settings)
  const single = await startProduct(alone.settings)
  const calls = bench.quick ? 50 : 200
  const ask = (url: string, tokens: readonly string[]) => async () =>
    percentile(await timedEach(calls, at => mustGet(`${url}${list_path}`, tokens[at % tokens.length] ?? '')), 0.95)
  const found = await compare(bench.quick ? 2 : 6, ask(crowd.url, many.tokens), ask(single.url, alone.tokens))
  await Promise.all([crowd.stop(), single.stop()])
  return [
    atMost(`p95 of the list among ${count} schools ÷ alone`, found.ratio, 1.2, times),
    reported('p95 among them, alone', `${milliseconds(found.subject_median)}, ${milliseconds(found.baseline_median)}`),
  ]
}

async function prepare(bench: Bench, count: number, pupils: number): Promise<{ settings: Record<string, string>; tokens: string[] }> {
  const installed = await install('postgres', bench)
  const ids = Array.from({ length: count }, (_, at) => first_school + at)
  for (const school_id of ids) await addOneSchool(installed, school_id)
  const filled_ms = await timed(async () => {
    await fillAll(installed, ids, pupils)
    await settleStatistics(installed)
  })
  bench.say(`${count} schools loaded in ${seconds(filled_ms)}`)
  const tokens: string[] = []
  for (let at = 0; at < callers; at += 1) {
    const school_id = ids[Math.floor((at * count) / callers)] ?? first_school
    tokens.push((await installed.app.as({ school_id, codes: 'all', scope: 'all' })).token)
  }
  await installed.app.running.close()
  return { settings: installed.settings, tokens }
}

/** Two schools at a time: loading is work of the database alone. */
async function fillAll(installed: Installed, ids: readonly number[], pupils: number): Promise<void> {
  const waiting = [...ids]
  const lane = async () => {
    for (let school_id = waiting.shift(); school_id !== undefined; school_id = waiting.shift()) {
      await fillWithPupils(installed, { school_id, base: school_id * 100_000, pupils, guardians: 'one' })
    }
  }
  await Promise.all([lane(), lane()])
}
