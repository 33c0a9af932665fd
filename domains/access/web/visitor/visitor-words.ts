import { visit_states } from '@campus/access/contract'

export const state_colors: Readonly<Record<number, string>> = { 0: 'orange', 1: 'blue', 2: 'red', 3: 'default', 4: 'green', 5: 'default', 6: 'default', 7: 'red' }

export function stateName(state: number): string {
  const names: Readonly<Record<string, string>> = visit_states
  return names[String(state)] ?? ''
}

/** The address of the public booking page, for its QR. */
export function bookingUrl(link_key: string): string {
  return `${window.location.origin}/VisitorBook?key=${link_key}`
}
