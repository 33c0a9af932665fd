import type { TemporaryRow } from '@campus/access/contract'

export const state_colors: Readonly<Record<TemporaryRow['state'], string>> = { coming: 'orange', running: 'blue', over: 'default', revoked: 'red' }

/** The name behind a code of the wire. */
export function wayText(names: Readonly<Record<number | string, string>>, code: number | string): string {
  return names[code] ?? ''
}
