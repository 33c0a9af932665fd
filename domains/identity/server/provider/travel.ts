import { identityErrors } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import type { Line, Returned, Vouched } from './adapter.ts'
import { adapterOf } from './adapters.ts'
import { ProviderFault } from './fault.ts'
import type { Trip } from './trip.ts'

/** What a trip needs of the request it belongs to. */
type Traveller = Pick<Pre, 'app' | 'now' | 'request' | 'log'>

/** Where the provider of a line is found. */
export async function wayOut(pre: Traveller, line: Line, state: string, trip: Trip): Promise<string> {
  const adapter = adapterOf(line.adapter)
  if (!adapter) throw fail(identityErrors.providerOff)
  const { app, now, request } = pre
  return adapter.start({ app, now, device_label: request.device_label, trip }, line, state)
}

/** Asks the provider of a line who came back. */
export async function exchange(pre: Traveller, line: Line, returned: Returned, trip: Trip): Promise<Vouched> {
  const adapter = adapterOf(line.adapter)
  if (!adapter) throw fail(identityErrors.providerOff)
  const { app, now, request } = pre
  return adapter.exchange({ app, now, device_label: request.device_label, trip }, line, returned)
}

/** What somebody is told when a provider did not help; the reason stands in the log, where it holds no value that travelled. */
export function refusalOf(pre: Traveller, { school_id, shape, adapter }: Line, error: unknown): unknown {
  if (!(error instanceof ProviderFault)) return error
  pre.log.warn({ school_id, shape, adapter, kind: error.kind, problem: error.message }, 'login provider did not help')
  return fail(error.kind === 'silent' ? identityErrors.providerSilent : identityErrors.codeInvalid)
}
