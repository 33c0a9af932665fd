import { setTimeout as sleep } from 'node:timers/promises'
import { JdevTerminal } from '@apps/terminal'
import pg from 'pg'
import { atMost, milliseconds, reported, seconds } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { makeGates, until } from '../gates.ts'
import { percentile, timed } from '../measure.ts'
import { freePort, startProduct } from '../product.ts'
import { install } from '../school.ts'

const [honest, passes_a_minute, kills, patience_ms] = [5, 500, 3, 120_000]
/** Between two passes of one terminal. */
const pause_ms = (60_000 / passes_a_minute) * honest

/** A server that is killed again and again while terminals tell. */
export const deviceKills: Figure = {
  name: 'device-kills',
  title: 'Passes while the server is killed',
  how: 'PostgreSQL; the server with its broker in a process of its own, ended by kill -9 and started again; five terminals of our own protocol in the process that measures, 500 passes a minute between them, also while nobody listens. Counted are passes told while the server stood and every terminal had caught up; a pass that waits longer than until the next one counts as long as that.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const { app, settings, admin_url } = await install('postgres', bench)
  const { gates } = await makeGates(app, honest)
  await app.running.close()
  const port = await freePort()
  const start = () => startProduct({ ...settings, CAMPUS_MQTT_PORT: String(port) })
  let server = await start()
  const terminals = gates.map(gate => new JdevTerminal({ url: `mqtt://127.0.0.1:${port}`, ...gate }))
  await Promise.all(terminals.map(terminal => terminal.start()))
  const caughtUp = () => until('all have told everything', () => terminals.every(({ is_connected, store }) => is_connected && store.waiting === 0), patience_ms)
  /** which life of the server this is; 0: it is dead, or terminals have not caught up */
  const now = { life: 1, is_over: false }
  const telling = terminals.map(terminal => tell(terminal, now))
  const back: number[] = []
  for (let life = 2; life <= kills + 2; life += 1) {
    await sleep(bench.quick ? 6000 : 35_000)
    if (life === kills + 2) break
    now.life = 0
    await server.kill()
    back.push(await timed(async () => {
      server = await start()
      await caughtUp()
    }))
    now.life = life
  }
  now.is_over = true
  const told = await Promise.all(telling)
  await caughtUp()
  await Promise.all(terminals.map(terminal => terminal.stop()))
  await server.stop()
  const waits = told.flatMap(one => one.waits)
  const made = told.reduce((sum, one) => sum + one.made, 0)
  return [
    atMost('a pass acknowledged between kills, p95', percentile(waits, 0.95), 150, milliseconds, '30-A14'),
    reported('the same, median', milliseconds(percentile(waits, 0.5))),
    atMost(`of ${made} passes over ${kills} kills, lost or doubled`, Math.abs((await storedIn(admin_url)) - made), 0, String, '30-A14'),
    reported('from the kill on until everything is told again, the longest', seconds(Math.max(...back))),
  ]
}

/** Tells passes at an even pace, whether anybody listens or not. @returns how many, and how long each waited that was told in calm */
async function tell(terminal: JdevTerminal, now: { life: number; is_over: boolean }): Promise<{ made: number; waits: number[] }> {
  const waits: number[] = []
  let made = 0
  while (!now.is_over) {
    const { life } = now
    const waited = await timed(async () => {
      terminal.pass({ user_id: '500002', verify: 2, result: 1 })
      for (const ends = performance.now() + pause_ms; terminal.store.waiting > 0 && performance.now() < ends;) await sleep(1)
    })
    made += 1
    if (life > 0 && life === now.life) waits.push(waited)
    await sleep(Math.max(0, pause_ms - waited))
  }
  return { made, waits }
}

async function storedIn(url: string | null): Promise<number> {
  const client = new pg.Client({ connectionString: url ?? '' })
  await client.connect()
  const { rows } = await client.query<{ n: number }>('select count(*)::int as n from pass_event')
  await client.end()
  return rows[0]?.n ?? 0
}
