/**
 * Names under which the browser keeps the session (localStorage; the console reads the same names). Texts and numbers
 * are stored plainly; role_actions, role_nos, menu_perms, roleGroupList, dictionary, schoolConfig and nav_menu_data are JSON;
 * `password` is a remember token, never a password. All are caches: tampering changes what is drawn, not what is answered.
 */
export type StoredName =
  | 'token' | 'logoutTime' | 'isLogin' | 'hasSchoolId' | 'school_id' | 'account' | 'password' | 'current_role' | 'user_id'
  | 'role_actions' | 'role_nos' | 'role_id' | 'menu_perms' | 'roleGroupList' | 'dept_is_exact' | 'dictionary' | 'schoolConfig'
  | 'nav_menu_data' | 'school_type' | 'oss_type' | 'oss_region' | 'oss_bucket' | 'oss_endpoint' | 'oss_http_prefix'

/** The stored text, or null when absent or when the browser refuses storage (private mode). */
export function readStored(name: StoredName): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** Stores one text, null forgets it. A refusal (quota, private mode) is silent: everything stored can be fetched again. */
export function writeStored(name: StoredName, value: string | null): void {
  try {
    localStorage.removeItem(name)
    if (value !== null) localStorage.setItem(name, value)
  } catch {
    // a cache that cannot be written is an empty cache
  }
}
