import { AsyncLocalStorage } from 'node:async_hooks'

/** What the current asynchronous flow has open on one database. `begin` is the statement that opens its transaction with the tenant set. */
export type Flow = { open: boolean; what: string; begin?: string }

const LARGEST_SCHOOL = 2_147_483_647

/** Follows which flow holds a transaction or the owner handle, one per opened database. */
export function createFlows(): AsyncLocalStorage<Flow> {
  return new AsyncLocalStorage<Flow>()
}

/**
 * Refuses a use of the database inside a transaction of the same flow. Embedded it would wait for itself for ever; on a server it would
 * read through a second session without the changes of the first.
 */
export function refuseNested(flows: AsyncLocalStorage<Flow>, wanted: string): void {
  const flow = flows.getStore()
  if (flow?.open) throw new Error(`${wanted} inside ${flow.what}: use the handle that was passed in, or wait until it has ended`)
}

/** Runs fn as a flow that owns the database until it settles. */
export async function inFlow<R>(flows: AsyncLocalStorage<Flow>, flow: Flow, fn: () => Promise<R>): Promise<R> {
  try {
    return await flows.run(flow, fn)
  } finally {
    flow.open = false
  }
}

/** The flow of one school's transaction. Begin and tenant travel as one message: one round trip less, and SET LOCAL (not set_config) also reaches Citus workers. */
export function tenantFlow(school_id: number, read_only: boolean): Flow {
  if (!Number.isInteger(school_id) || school_id < 0 || school_id > LARGEST_SCHOOL) throw new Error(`not a school id: ${school_id}`)
  return {
    open: true,
    what: `the transaction of school ${school_id}`,
    begin: `begin${read_only ? ' read only' : ''}; set local app.school_id = '${school_id}'`,
  }
}
