import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Boot } from '../http/index.ts'

const look_ms = 5000
/** Whoever has not said for so long that he leads does not. */
const lease_s = 15

/** Tries to lead or to go on leading, by the database's clock. */
async function takeLead({ database }: Boot, holder: string): Promise<boolean> {
  return database.tenant(0, async db => {
    const { rows: [clock] } = await sql<{ now: string }>`select now()::text as now`.execute(db)
    const { rows } = await sql`
      insert into broker_lead as l (place, holder, until) values ('devices', ${holder}, now() + make_interval(secs => ${lease_s}))
      on conflict (place) do update set holder = excluded.holder, until = excluded.until where l.holder = excluded.holder or l.until < ${clock?.now}::timestamptz
      returning holder`.execute(db)
    return rows.length > 0
  })
}

/**
 * Of all servers of an installation one leads, and another one when it goes: what speaks with devices keeps its place in the conversation in memory.
 * `turn` is told when this one begins and when it ends. @returns the stop, which hands over at once
 */
export function keepLead(boot: Boot, turn: (leads: boolean) => void): () => Promise<void> {
  const holder = randomUUID()
  let leads = false
  // A database that is away says nothing: as long as the lease lasts nobody else leads. At its end this one does not either, whether or not anybody has answered.
  let ending: NodeJS.Timeout | undefined
  const set = (now_leads: boolean) => {
    if (!now_leads) clearTimeout(ending)
    if (leads === now_leads) return
    leads = now_leads
    turn(leads)
  }
  const look = async () => {
    const asked = performance.now()
    const taken = await takeLead(boot, holder).catch((error: unknown) => void boot.app.log.warn({ err: error }, 'which server speaks with the devices could not be asked'))
    if (taken === undefined) return
    const sure_ms = asked + lease_s * 1000 - performance.now()
    if (taken) {
      clearTimeout(ending)
      ending = setTimeout(() => set(false), sure_ms).unref()
    }
    set(taken && sure_ms > 0)
  }
  let looking = look()
  const timer = setInterval(() => {
    looking = looking.then(look)
  }, look_ms).unref()
  return async () => {
    clearInterval(timer)
    await looking
    set(false)
    await boot.database.tenant<unknown, unknown>(0, db => sql`delete from broker_lead where holder = ${holder}`.execute(db)).catch(() => undefined)
  }
}
