import type { RoleEntry } from './wire.ts'

/** The identities whose school, role or department holds the text; all of them for an empty text. */
export function matchingIdentities(list: readonly RoleEntry[], text: string): RoleEntry[] {
  const wanted = text.trim().toLowerCase()
  return list.filter(({ school_name, name, user_dep_name }) => `${school_name}\n${name}\n${user_dep_name ?? ''}`.toLowerCase().includes(wanted))
}

/** The synthetic identity of a super account: its number is the school's, negative. Such an account belongs to no school. */
export function isSuperEntry({ id }: Pick<RoleEntry, 'id'>): boolean {
  return id.startsWith('-')
}

/** Where a school's logo is fetched: an address as it is, else a public file key. */
export function logoAddress(logo: string | null): string | null {
  if (!logo) return null
  return /^(https?:|data:|\/)/.test(logo) ? logo : `/material/f/${logo}`
}
