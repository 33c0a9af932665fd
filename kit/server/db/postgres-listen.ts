import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Ear } from './session.ts'

const first_wait_ms = 250
const longest_wait_ms = 5000
const look_ms = 10_000
const patience_ms = 5000

/**
 * One session that listens to a channel until it is stopped. A session that is lost is replaced, however long that takes, and the ear is told
 * that it may have missed something; a silent one is asked every ten seconds whether it still lives.
 */
export async function listenOn(url: string, channel: string, ear: Ear, report: (error: Error) => void): Promise<() => Promise<void>> {
  const stop = new AbortController()
  const { signal } = stop
  const running = keepListening({ url, channel, ear, report, signal }, await open(url, channel, ear))
  return async () => {
    stop.abort()
    await running
  }
}

type Listening = { url: string; channel: string; ear: Ear; report: (error: Error) => void; signal: AbortSignal }
type Opened = { client: pg.Client; lost: Promise<Error> }

async function open(url: string, channel: string, ear: Ear): Promise<Opened> {
  const client = new pg.Client({ connectionString: url, application_name: 'smart-campus listening', keepAlive: true, connectionTimeoutMillis: patience_ms, query_timeout: patience_ms })
  const lost = new Promise<Error>((resolve) => {
    client.on('error', resolve)
    client.on('end', () => resolve(new Error('the listening session has ended')))
  })
  client.on('notification', ({ payload }) => ear.heard(payload ?? ''))
  try {
    await client.connect()
    await client.query(`listen ${client.escapeIdentifier(channel)}`)
  } catch (error) {
    void client.end().catch(() => {})
    throw error
  }
  return { client, lost }
}

async function keepListening(listening: Listening, first: Opened): Promise<void> {
  const { ear, report, signal } = listening
  let opened = first
  while (!signal.aborted) {
    const error = await untilLost(opened, signal)
    // The farewell to a server that is gone may never be answered.
    void opened.client.end().catch(() => {})
    if (signal.aborted || !error) return
    report(error)
    const next = await reopen(listening)
    if (!next) return
    opened = next
    ear.missed()
  }
}

/** The reason for which the session is of no use any more; nothing when it is to stop. */
async function untilLost({ client, lost }: Opened, signal: AbortSignal): Promise<Error | undefined> {
  while (!signal.aborted) {
    const ended = await Promise.race([lost, sleep(look_ms, undefined, { signal, ref: false }).catch(() => undefined)])
    if (ended) return ended
    if (signal.aborted) return undefined
    const silent = await client.query('select').then(() => undefined, (error: Error) => error)
    if (silent) return silent
  }
  return undefined
}

async function reopen({ url, channel, ear, signal }: Listening): Promise<Opened | undefined> {
  for (let wait = first_wait_ms; !signal.aborted; wait = Math.min(wait * 2, longest_wait_ms)) {
    await sleep(wait, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal.aborted) return undefined
    const opened = await open(url, channel, ear).catch(() => undefined)
    if (opened) return opened
  }
  return undefined
}
