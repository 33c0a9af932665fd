import { Port } from '@kit/server/http'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'

/** A person who is to be erased; `db` is the transaction in which everything of one person goes, nothing but SQL may be awaited. */
export type EraseStep = { db: QueryExecutorProvider; app: App; school_id: number; now: Date; user_id: string; batch_no: string }

/**
 * What became of him in one store: `db:<domain>`, `object:<bucket>`, `terminal:<device_id>`, `account`, `backup`. `kept` names its basis in law.
 * `acked`: it is so by now, with the evidence (a count of rows, a number of the store); otherwise the store says so later through
 * `ackErasure`, by the `ref` given here or by the name of the store.
 */
export type Erased = { store: string; title: string; ref?: string } & ({ action: 'deleted' | 'anonymised' } | { action: 'kept'; basis: string }) & ({ acked: true; evidence: string } | { acked: false })

/** In this order (chapter 20 rule 23): files, terminals, rows, the person himself, his account. */
const erase_stages = ['object', 'terminal', 'rows', 'person', 'account'] as const

/**
 * How one domain forgets a person. `tables` are all of its tables that name people, `stays` those whose rows keep the bare id, each with the reason:
 * every domain of tier 1–3 with such a table registers (a build check asks for it). Erasing twice changes nothing the second time.
 */
export type Erase = {
  domain: string
  title: string
  stage: (typeof erase_stages)[number]
  tables: readonly string[]
  stays: Readonly<Record<string, string>>
  erase(step: EraseStep): Promise<Erased[]>
}

/** Filled by every domain whose tables, files or devices know people. */
export const erasePort = new Port<Erase>('people.erase')

/** Everything registered, in the order in which it is erased. */
export function erasers(app: App): Erase[] {
  return erase_stages.flatMap(stage => erasePort.all(app).filter(erase => erase.stage === stage))
}
