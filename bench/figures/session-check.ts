import { setTimeout as sleep } from 'node:timers/promises'
import { openGate } from '@campus/identity/server'
import { atMost, milliseconds, reported } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { percentile, timed } from '../measure.ts'
import { install } from '../school.ts'

const school_id = 1001
const people = 40
/** A class at work: everybody asks for something about once a second. */
const pause_ms = 25

/** What it costs that every call looks at its session: signature, session row, rights. */
export const sessionCheck: Figure = {
  name: 'session-check',
  title: 'The session check of a call',
  how: `${people} people, each with a call about once a second, on PostgreSQL: the time the guard takes before the call begins, with what it remembers for a second and without. The guard is asked by itself, in its own process.`,
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const installed = await install('postgres', bench)
  const { app } = installed
  const tokens: string[] = []
  for (let at = 0; at < people; at += 1) tokens.push((await app.as({ school_id, codes: ['people.student.view', 'people.student.edit'] })).token)
  const gate = openGate(app.running)
  const rounds = bench.quick ? 400 : 2000
  const usual: number[] = []
  for (let at = 0; at < rounds; at += 1) {
    usual.push(await timed(() => gate.authenticate(tokens[at % people] ?? '')))
    // Two of three calls of a page come together.
    usual.push(await timed(() => gate.authenticate(tokens[at % people] ?? '')), await timed(() => gate.authenticate(tokens[at % people] ?? '')))
    await sleep(pause_ms)
  }
  const bare: number[] = []
  for (let at = 0; at < people * 5; at += 1) {
    if (at % people === 0) await sleep(1100)
    bare.push(await timed(() => gate.authenticate(tokens[at % people] ?? '')))
  }
  await app.close()
  return [
    atMost('added to a call, p50', percentile(usual, 0.5), 1, milliseconds, '10-A24'),
    reported('added to a call, p95', milliseconds(percentile(usual, 0.95))),
    reported('when nothing is remembered, p50', milliseconds(percentile(bare, 0.5))),
  ]
}
