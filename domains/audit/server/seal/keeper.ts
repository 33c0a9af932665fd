import { auditEvents } from '@campus/audit/contract'
import { publish } from '@kit/server/event'
import type { App, Boot } from '@kit/server/http'
import type { Database } from '@kit/server/db'
import { checkRecent } from './check-journal.ts'
import type { Tell } from './check-journal.ts'
import { sealJournal } from './make-seals.ts'
import { dueJournals, holdJournal, watchSchool } from './seal.queries.ts'
import type { Watched } from './seal.queries.ts'
import { sealKeyOf } from './seal-key.ts'

const every_ms = 5 * 60_000
/** A journal is due a little before its turn, so that no turn is missed by a second. */
const early_ms = 30_000
const journals_at_once = 500
/** The school whose journals hold what belongs to no school. */
const installation = 0

/** Seals and checks the journals of all schools every five minutes, off the write path. @returns the stop */
export async function startKeeper({ app, database }: Boot): Promise<() => Promise<void>> {
  await database.tenant(installation, db => watchSchool(db, installation, app.clock.now()))
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(() => sealDue({ app, database })).catch((error: unknown) => app.log.warn({ err: error }, 'the journals were not sealed'))
  }, every_ms)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

/** One round over the journals whose turn it is; one that fails leaves the others alone. */
export async function sealDue({ app, database }: { app: App; database: Database }): Promise<void> {
  const now = app.clock.now()
  const before = new Date(now.getTime() - every_ms + early_ms)
  const due = await database.tenant(installation, db => dueJournals(db, { before, now }, journals_at_once), { read_only: true })
  for (const { school_id, table_name } of due) {
    await keepJournal({ app, database }, school_id, table_name).catch((error: unknown) => app.log.error({ err: error, school_id, table_name }, 'a journal was not sealed'))
  }
}

async function keepJournal({ app, database }: { app: App; database: Database }, school_id: number, table: Watched['table_name']): Promise<void> {
  const now = app.clock.now()
  const key = sealKeyOf(app.secrets)
  const upto = await sealJournal({ database, key, now }, school_id, table)
  const watched = await database.tenant(school_id, db => holdJournal(db, school_id, table))
  if (upto === null || !watched) return
  const tell: Tell = (db, id, table_name, count) => publish({ app, db, school_id: id, now }, auditEvents.chainBroken, { table_name, count })
  const is_whole = await checkRecent({ database, now, keep_days: app.config.CAMPUS_JOURNAL_KEEP_DAYS, public_key: key.public_key, tell }, watched, upto)
  if (!is_whole) app.log.error({ school_id, table_name: table }, 'a journal is not as it was sealed: run "npm run cli -- audit-verify"')
}
