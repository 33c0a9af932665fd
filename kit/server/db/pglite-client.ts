import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import * as path from 'node:path'
import { Worker } from 'node:worker_threads'
import { damageOf } from './damaged-files.ts'
import { holdDirectory } from './directory-lock.ts'
import { connectionError, errorOf } from './database-error.ts'
import type { OpenOptions } from './open-options.ts'
import type { PgliteAnswer, PgliteMessage, PgliteNotice, PgliteReply, PgliteRequest } from './pglite-protocol.ts'
import { APP_ROLE, OWNER_ROLE, roleSql } from './roles.ts'
import type { Ear, Outcome, Role, Session, SessionSource } from './session.ts'
import { createTurns } from './turns.ts'
import { encodeParameters, parserOf } from './value-codec.ts'

type Ask = (request: PgliteRequest) => Promise<PgliteAnswer>
/** Who listens to which channel; only the worker's own transactions are heard, nobody else has the engine. */
type Ears = Map<string, Set<Ear>>
type Waiting = { resolve: (answer: PgliteAnswer) => void; reject: (error: Error) => void }

const BOOTSTRAP = roleSql({ database: 'postgres', owner: OWNER_ROLE, app: APP_ROLE })

let compiled: Promise<WebAssembly.Module> | undefined

/** The engine's code, once for all databases of a process: V8 turns it into machine code as it runs, and a second one begins where the first has got to. */
async function compileEngine(): Promise<WebAssembly.Module> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  return WebAssembly.compile(await readFile(path.join(path.dirname(entry), 'pglite.wasm')))
}

/**
 * Opens the embedded engine in a worker thread, on a directory of its own (held exclusively) or in memory. It has one session: transactions
 * take turns. Throws when the directory is in use. `syncCount` answers how many file syncs reached the disk.
 */
export async function openPglite(data_dir: string, options: OpenOptions): Promise<{ source: SessionSource; syncCount: () => Promise<number> }> {
  const directory = data_dir === 'memory://' ? null : path.resolve(data_dir)
  if (directory !== null) mkdirSync(directory, { recursive: true })
  const letGo = directory === null ? () => {} : holdDirectory(directory)
  const { ask, stop, ears } = startWorker(options.on_error ?? (() => {}))
  const durable = directory !== null && (options.durable ?? true)
  try {
    await ask({ kind: 'open', module: await (compiled ??= compileEngine()), directory, durable, bootstrap: BOOTSTRAP, app_role: APP_ROLE, snapshot: options.snapshot })
  } catch (error) {
    await stop()
    letGo()
    throw directory === null ? error : damageOf(directory, error)
  }
  const source = createSource(ask, ears, async () => {
    await stop()
    letGo()
  })
  return { source, syncCount: async () => (await ask({ kind: 'sync_count' })).affected }
}

function createSource(ask: Ask, ears: Ears, stopped: () => Promise<void>): SessionSource {
  const takeTurn = createTurns()
  let closed: Promise<void> | undefined
  const acquire = async (role: Role): Promise<Session> => {
    const endTurn = await takeTurn()
    try {
      if (closed) throw connectionError('the database is closed', '08003')
      if (role === 'owner') await ask({ kind: 'exec', text: `set role ${OWNER_ROLE}` })
      return sessionOf(ask, role, endTurn)
    } catch (error) {
      endTurn()
      throw error
    }
  }
  const close = async (): Promise<void> => {
    const endTurn = await takeTurn()
    // A worker that already died has nothing left to close.
    await ask({ kind: 'close' }).catch(() => {})
    await stopped()
    endTurn()
  }
  const snapshot = async (): Promise<Uint8Array> => {
    const endTurn = await takeTurn()
    try {
      return (await ask({ kind: 'snapshot' })).bytes ?? new Uint8Array()
    } finally {
      endTurn()
    }
  }
  const listen = async (channel: string, ear: Ear): Promise<() => Promise<void>> => {
    const endTurn = await takeTurn()
    try {
      if (!ears.has(channel)) await ask({ kind: 'listen', channel })
    } finally {
      endTurn()
    }
    const all = ears.get(channel) ?? new Set()
    ears.set(channel, all.add(ear))
    return async () => void all.delete(ear)
  }
  return { acquire, snapshot, listen, close: () => (closed ??= close()) }
}

function sessionOf(ask: Ask, role: Role, endTurn: () => void): Session {
  return {
    query: async (text, values, name) => outcomeOf(await ask({ kind: 'query', text, values: encodeParameters(values), name })),
    exec: async (text) => (await ask({ kind: 'exec', text })).command,
    async release(broken) {
      // The next turn gets the same session: undo whatever an owner's script or a failed begin left behind.
      const clean = broken || role === 'owner'
      if (clean) await ask({ kind: 'exec', text: `rollback; reset all; select pg_advisory_unlock_all(); set role ${APP_ROLE}` }).catch(() => {})
      endTurn()
    },
  }
}

function outcomeOf({ command, affected, names, type_oids, rows }: PgliteAnswer): Outcome {
  const columns = names.map((name, at) => ({ name, parse: parserOf(type_oids[at] ?? 0) }))
  return { command, affected, rows: rows.map((row) => rowOf(columns, row)) }
}

function rowOf(columns: { name: string; parse: (text: string) => unknown }[], values: (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [at, { name, parse }] of columns.entries()) {
    const value = values[at]
    row[name] = value === null || value === undefined ? null : parse(value)
  }
  return row
}

function startWorker(report: (error: Error) => void): { ask: Ask; stop: () => Promise<void>; ears: Ears } {
  const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url))
  const waiting = new Map<number, Waiting>()
  const ears: Ears = new Map()
  let last_id = 0
  let gone: Error | undefined
  let stopping = false
  const end = (cause: unknown): void => {
    if (gone) return
    gone = connectionError('the embedded database has stopped', '08006', cause)
    for (const { reject } of waiting.values()) reject(gone)
    waiting.clear()
    if (!stopping) report(gone)
  }
  worker.on('error', end)
  worker.on('exit', (code) => end(new Error(`its thread ended with code ${code}`)))
  worker.on('message', (reply: PgliteReply | PgliteNotice) => {
    if ('channel' in reply) return ears.get(reply.channel)?.forEach((ear) => ear.heard(reply.payload))
    const asked = waiting.get(reply.id)
    // Under `node --watch` a thread tells of the files it imports on the same port.
    if (!asked) return
    waiting.delete(reply.id)
    if ('answer' in reply) return asked.resolve(reply.answer)
    if (reply.error.code !== undefined) return asked.reject(errorOf(reply.error))
    // An error without an SQLSTATE is no answer of the database: the engine itself broke and its memory cannot be trusted.
    const broken = errorOf(reply.error)
    asked.reject(connectionError(`the embedded database has stopped: ${broken.message}`, '08006', broken))
    end(broken)
    void worker.terminate()
  })
  const ask: Ask = (request) => {
    if (gone) return Promise.reject(gone)
    const message: PgliteMessage = { id: (last_id += 1), request }
    return new Promise((resolve, reject) => {
      waiting.set(message.id, { resolve, reject })
      worker.postMessage(message)
    })
  }
  const stop = async (): Promise<void> => {
    stopping = true
    await worker.terminate()
  }
  return { ask, stop, ears }
}
