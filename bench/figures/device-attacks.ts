import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { JdevTerminal } from '@apps/terminal'
import { sql } from 'kysely'
import { z } from 'zod'
import { atLeast, atMost, milliseconds, reported } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { count, makeGates, onlineGates, tellPasses, until } from '../gates.ts'
import { percentile } from '../measure.ts'
import { install } from '../school.ts'

const school_id = 1001
const [honest, attackers, pause_ms, patience_ms] = [5, 4, 50, 60_000]
const Counts = z.object({ floods: z.number(), huge_packets: z.number(), wrong_secrets: z.number(), foreign_topics: z.number() })

/** What other terminals notice of those that attack. */
export const deviceAttacks: Figure = {
  name: 'device-attacks',
  title: 'Terminals beside attackers',
  how: 'PostgreSQL, the broker of the server and five terminals of our own protocol in the process that measures, each telling one pass after the other: the time until it is acknowledged. Then the same while a thread attacks without a pause worth the name: two devices that say 10,000 messages at once, one that sends 10 MB, one that speaks and listens on topics of others, one that comes with the wrong secret under the name of a terminal that is there; whoever is thrown out comes again.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const { app } = await install('postgres', bench)
  const over_ms = bench.quick ? 4000 : 25_000
  const { gates } = await makeGates(app, honest + attackers)
  const url = `mqtt://127.0.0.1:${await app.running.listenToDevices()}`
  const terminals = gates.slice(0, honest).map(gate => new JdevTerminal({ url, ...gate }))
  await Promise.all(terminals.map(terminal => terminal.start()))
  await until('all are online', async () => (await onlineGates(app)) === honest, patience_ms)
  const tell = async () => (await Promise.all(terminals.map(terminal => tellPasses(terminal, over_ms, pause_ms)))).flat()
  const calm = await tell()
  const thread = new Worker(new URL('../attack-thread.ts', import.meta.url), { workerData: { url, own: gates.slice(honest), victim: gates[0]?.sn ?? '' } })
  const ended = once(thread, 'message')
  await sleep(pause_ms)
  const attacked = await tell()
  const is_there = terminals.filter(terminal => terminal.is_connected).length
  thread.postMessage('stop')
  const { floods, huge_packets, wrong_secrets, foreign_topics } = Counts.parse((await ended)[0])
  await thread.terminate()
  const stored = await count(app, sql`select count(*)::int as n from pass_event where school_id = ${school_id}`)
  await Promise.all(terminals.map(terminal => terminal.stop()))
  await app.close()
  return [
    atMost('a pass of another terminal acknowledged meanwhile, p99', percentile(attacked, 0.99), 200, milliseconds, '31-A1'),
    reported('the same, median', milliseconds(percentile(attacked, 0.5))),
    reported('without attackers, median and p99', `${milliseconds(percentile(calm, 0.5))}, ${milliseconds(percentile(calm, 0.99))}`),
    atLeast('the least done of any kind of attack, each ended by the broker', Math.min(floods, huge_packets, wrong_secrets, foreign_topics), 3, String, '31-A1'),
    reported('floods, packets of 10 MB, wrong secrets, foreign topics', [floods, huge_packets, wrong_secrets, foreign_topics].join(', ')),
    atMost('terminals thrown out, passes lost or doubled', honest - is_there + Math.abs(stored - calm.length - attacked.length), 0, String, '31-A1'),
  ]
}
