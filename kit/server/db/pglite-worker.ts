import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import type { PGliteOptions } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { dataDir } from '@electric-sql/pglite-prepopulatedfs'
import { fieldsOf } from './database-error.ts'
import { DurableNodeFs, syncTree } from './durable-nodefs.ts'
import { runQuery } from './pglite-query.ts'
import type { PgliteAnswer, PgliteMessage, PgliteNotice, PgliteReply, PgliteRequest } from './pglite-protocol.ts'
import { SESSION_SETTINGS } from './session.ts'

type OpenRequest = Extract<PgliteRequest, { kind: 'open' }>
type Opened = { engine: PGlite; files?: DurableNodeFs }

const NOTHING: PgliteAnswer = { command: '', affected: 0, names: [], type_oids: [], rows: [] }

let opened: Opened | undefined
/** Names of the statements that the session keeps. */
const kept_statements = new Set<string>()

let last: Promise<void> = Promise.resolve()

/** What is asked while something is being answered waits for its turn. */
parentPort?.on('message', (message: PgliteMessage) => {
  last = last.then(() => reply(message))
})

async function reply({ id, request }: PgliteMessage): Promise<void> {
  const told: PgliteReply = await answer(request).then(
    (result) => ({ id, answer: result }),
    (error: unknown) => ({ id, error: fieldsOf(error) }),
  )
  parentPort?.postMessage(told)
}

async function answer(request: PgliteRequest): Promise<PgliteAnswer> {
  if (request.kind === 'open') {
    opened = await open(request)
    return NOTHING
  }
  if (!opened) throw new Error('the embedded database is not open')
  const { engine, files } = opened
  switch (request.kind) {
    case 'query':
      return runQuery(engine, kept_statements, request)
    case 'exec':
      return { ...NOTHING, command: (await engine.exec(request.text)).at(-1)?.command ?? '' }
    case 'listen':
      await engine.listen(request.channel, (payload) => parentPort?.postMessage({ channel: request.channel, payload } satisfies PgliteNotice))
      return NOTHING
    case 'snapshot':
      return { ...NOTHING, bytes: new Uint8Array(await (await engine.dumpDataDir('none')).arrayBuffer()) }
    case 'sync_count':
      return { ...NOTHING, affected: files?.syncs ?? 0 }
    case 'close':
      await engine.close()
      return NOTHING
  }
}

async function open(request: OpenRequest): Promise<Opened> {
  if (request.directory === null) return { engine: await start('memory://', request, await beginning(request)) }
  const directory = join(request.directory, 'pg')
  const unfinished = join(request.directory, 'first-start-unfinished')
  // A first start that was killed half-way leaves a database that opens but is incomplete; nothing was acknowledged yet, so begin again.
  if (existsSync(unfinished)) rmSync(directory, { recursive: true, force: true })
  const is_new = !existsSync(join(directory, 'PG_VERSION'))
  if (is_new) writeFileSync(unfinished, '')
  const files = request.durable ? new DurableNodeFs(directory) : undefined
  const engine = await start(directory, request, is_new ? await beginning(request) : undefined, files)
  if (is_new && request.durable) syncTree(request.directory)
  rmSync(unfinished, { force: true })
  return { engine, files }
}

/** What a new database begins with: a snapshot, or an empty cluster as it was delivered; making one here (initdb) takes three times as long. */
async function beginning(request: OpenRequest): Promise<Blob> {
  return request.snapshot ? new Blob([request.snapshot]) : dataDir()
}

async function start(directory: string, request: OpenRequest, begin?: Blob, files?: DurableNodeFs): Promise<PGlite> {
  const options: PGliteOptions = {
    extensions: { btree_gist, pg_trgm },
    pgliteWasmModule: request.module,
    startParams: startParams(files !== undefined),
    ...(files ? { fs: files } : {}),
    ...(begin ? { loadDataDir: begin } : {}),
  }
  const engine = await PGlite.create(directory, options)
  await engine.exec(request.bootstrap)
  // The engine's own user is a superuser: from here on every statement runs as one of the two roles.
  await engine.exec(`checkpoint; set role ${request.app_role}`)
  return engine
}

function startParams(durable: boolean): string[] {
  // fsync=on alone does nothing: only this method ends in the hook of DurableNodeFs.
  const sync: Array<readonly [string, string]> = durable ? [['fsync', 'on'], ['wal_sync_method', 'fsync']] : []
  const kept = PGlite.defaultStartParams.filter((param) => !(durable && param === '-F'))
  return [...kept, ...[...SESSION_SETTINGS, ...sync].flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}
