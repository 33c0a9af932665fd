import { items } from './settings.ts'
import type { Settings } from './settings.ts'

type Rule = Pick<Settings, 'CAMPUS_ENV' | 'CAMPUS_OUTSIDE_HOSTS' | 'CAMPUS_OUTSIDE_ALLOW'>

/**
 * Whether the server may call a host on behalf of a school (provider of short messages, mail server …). Schools type these addresses, and the
 * machine stands inside the network: so the operator lists the hosts, and nothing else is called. The test environment, which only its own
 * machine reaches, may call that machine.
 */
export function mayCallHost({ CAMPUS_ENV, CAMPUS_OUTSIDE_HOSTS }: Pick<Rule, 'CAMPUS_ENV' | 'CAMPUS_OUTSIDE_HOSTS'>, host: string): boolean {
  const asked = host.toLowerCase().replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (CAMPUS_ENV === 'test' && (asked === 'localhost' || asked === '::1' || /^127\.\d+\.\d+\.\d+$/.test(asked))) return true
  return items(CAMPUS_OUTSIDE_HOSTS.toLowerCase()).some(known => (known.startsWith('*.') ? asked.endsWith(known.slice(1)) : asked === known))
}

/** Whether a message may go to an address outside. In `pre` only people on the list are written to; elsewhere everybody is (chapter 10 §12). */
export function mayWriteTo({ CAMPUS_ENV, CAMPUS_OUTSIDE_ALLOW }: Rule, address: string): boolean {
  if (CAMPUS_ENV !== 'pre') return true
  const asked = address.trim().toLowerCase()
  return items(CAMPUS_OUTSIDE_ALLOW.toLowerCase()).some(known => (known.startsWith('@') ? asked.endsWith(known) : asked === known))
}
