import { mayTurnMonths, turnMonths } from '@kit/server/db'
import type { MonthTable, Turned } from '@kit/server/db'
import type { Boot, DomainServer } from '@kit/server/http'

const day_ms = 86_400_000
/** How often is asked whether a day has gone by: the clock of a machine may be put forward. */
const look_ms = 5 * 60_000
/** Months that stand ready where the server turns them itself, day by day. */
const months_ahead = 2
/** Where the operator's `migrate up` alone can make them: a year without one. */
export const months_ahead_of_operator = 13

/** Makes the coming months of every domain's tables and drops those no longer kept, as the owner of the tables (chapter 10 A2). */
export async function turnAllMonths(boot: Boot, domains: readonly DomainServer[], ahead = months_ahead): Promise<Turned> {
  return turnMonths(boot.database, boot.app.clock.now(), await allMonths(boot, domains), ahead)
}

/** Every table that lies in months, and since when each is kept at this moment. */
export async function allMonths({ app, database }: Boot, domains: readonly DomainServer[]): Promise<MonthTable[]> {
  const tables: MonthTable[] = []
  for (const domain of domains) tables.push(...((await domain.months?.({ now: app.clock.now(), config: app.config, database })) ?? []))
  return tables
}

/** Turns the months at the start and once a day, where this process may; elsewhere `migrate up` is the operator's. @returns the stop */
export async function keepMonths(boot: Boot, domains: readonly DomainServer[]): Promise<() => Promise<void>> {
  const { app, database } = boot
  if (!mayTurnMonths(database, app.config)) return () => Promise.resolve()
  const turn = async () => {
    const { made, dropped, blocked } = await turnAllMonths(boot, domains)
    if (made.length + dropped.length + blocked.length > 0) app.log.info({ made, dropped, blocked }, 'months turned')
    return app.clock.now().getTime()
  }
  let turned_at = await turn()
  let running = Promise.resolve()
  const round = async () => {
    if (app.clock.now().getTime() - turned_at >= day_ms) turned_at = await turn()
  }
  const timer = setInterval(() => {
    running = running.then(round).catch((error: unknown) => app.log.warn({ err: error }, 'the months were not turned'))
  }, look_ms).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
