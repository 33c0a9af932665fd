/**
 * Names under which the browser keeps the session (localStorage; the console reads the same names). Texts and numbers
 * are stored plainly; role_actions, role_nos, menu_perms, roleGroupList, dictionary, schoolConfig and nav_menu_data are JSON.
 * All are caches: tampering changes what is drawn, never what the server answers.
 */
export const stored_names = [
  'token', 'logoutTime', 'isLogin', 'hasSchoolId', 'school_id', 'account', 'password', 'current_role', 'user_id',
  'role_actions', 'role_nos', 'role_id', 'menu_perms', 'roleGroupList', 'dept_is_exact', 'dictionary', 'schoolConfig',
  'nav_menu_data', 'school_type', 'oss_type', 'oss_region', 'oss_bucket', 'oss_endpoint', 'oss_http_prefix',
] as const
export type StoredName = (typeof stored_names)[number]
export type StoredValues = Partial<Record<StoredName, string>>

/** The stored text, or null when absent or when the browser refuses storage (private mode). */
export function readStored(name: StoredName): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** Stores one text; a refusal (quota, private mode) is silent because everything stored can be fetched again. */
export function writeStored(name: StoredName, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    dropStored(name)
  }
}

/** Forgets one name. */
export function dropStored(name: StoredName): void {
  try {
    localStorage.removeItem(name)
  } catch {
    // storage is refused altogether: there is nothing to forget
  }
}

/** Stores a whole session; the token comes last, so that a tab that wakes up on it finds the rest in place. */
export function writeSession(values: StoredValues): void {
  for (const name of stored_names) {
    const value = values[name]
    if (name !== 'token' && value !== undefined) writeStored(name, value)
  }
  if (values.token !== undefined) writeStored('token', values.token)
}

/** The account signed in here when it is another one than `user_id`, else null. */
export function otherAccount(user_id: string): string | null {
  const signed_in = readStored('token') !== null && readStored('user_id') !== user_id
  return signed_in ? readStored('account') ?? '' : null
}
