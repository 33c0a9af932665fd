import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countPupils } from './kept-rows.ts'
import type { KeptPupils } from './kept-rows.ts'
import { openServer } from './opened-server.ts'
import type { OpenedServer } from './opened-server.ts'
import { prepareSchool, school_id } from './prepared-school.ts'
import { dryRun, pupilSheet } from './pupil-import.ts'
import type { Client } from './pupil-import.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'

/** Servers on one school, one after the other: each may be killed, and the last runs in this process, so that its rows can be counted. */
export type KilledServers = {
  /** the batch whose dry run is done */
  batch_no: string
  startNext(): Promise<Client>
  /** Ends the one that runs without a word. @throws when it ends otherwise */
  kill(): Promise<void>
  openLast(): Promise<Client>
  /** What the last one finds of the batch. */
  count(): Promise<KeptPupils>
  remove(): Promise<void>
}

/** A school on disk with a sheet of new pupils whose dry run is done; `also` is done before its first server begins. */
export async function importedServers(pupils: number, also: (client: Client, batch_no: string) => Promise<void> = async () => {}): Promise<KilledServers> {
  const folder = await mkdtemp(join(tmpdir(), 'campus-kill-'))
  let batch_no = ''
  const base = await prepareSchool({ CAMPUS_DURABLE: '1' }, async client => {
    const batch = await dryRun(client, await pupilSheet(folder, pupils))
    if (batch.rows_new !== pupils) throw new Error(`the dry run says ${JSON.stringify(batch)}`)
    batch_no = batch.batch_no
    await also(client, batch_no)
  })
  let server: ServerProcess | undefined
  let last: OpenedServer | undefined
  return {
    batch_no,
    async startNext() {
      server = await startServer(base.settings)
      return { url: server.url, token: base.token }
    },
    async kill() {
      server?.signal('SIGKILL')
      const ended = await server?.ended
      if (ended?.signal !== 'SIGKILL') throw new Error(`the server has ended by ${ended?.signal ?? 'itself'}`)
    },
    async openLast() {
      last = await openServer(base.settings)
      return { url: last.url, token: base.token }
    },
    async count() {
      if (!last) throw new Error('none has been opened to count in')
      return countPupils(last.database, school_id, batch_no)
    },
    async remove() {
      await last?.close()
      await endServer(server)
      await base.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
