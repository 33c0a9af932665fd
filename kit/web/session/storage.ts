type Box = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & { names: () => string[] }

/** Names under which the browser keeps its caches (platform chapter §7, Browser storage). */
export type StoredName =
  | 'token' | 'logoutTime' | 'isLogin' | 'hasSchoolId' | 'school_id' | 'account' | 'password' | 'current_role' | 'user_id'
  | 'role_actions' | 'role_nos' | 'role_id' | 'menu_perms' | 'roleGroupList' | 'dept_is_exact' | 'dictionary' | 'schoolConfig'
  | 'nav_menu_data' | 'school_type' | 'oss_type' | 'oss_region' | 'oss_bucket' | 'oss_endpoint' | 'oss_http_prefix'
  | 'downloadFlag' | 'cardConfig' | 'sidebar' | 'pageSizes' | 'pwdNotice' | 'refreshLock' | 'realtimeLock' | 'readerLock'

/** A storage that never throws: what the browser refuses (quota, private mode) is kept in memory until the page closes. */
export function safeStorage(open: () => Storage): Box {
  const memory = new Map<string, string>()
  const real = attempt(open)
  return {
    getItem: (name) => memory.get(name) ?? attempt(() => real?.getItem(name)) ?? null,
    setItem: (name, value) => {
      const kept = attempt(() => {
        real?.setItem(name, value)
        return real !== undefined
      })
      if (kept) memory.delete(name)
      else memory.set(name, value)
    },
    removeItem: (name) => {
      memory.delete(name)
      attempt(() => real?.removeItem(name))
    },
    names: () => [...new Set([...memory.keys(), ...(attempt(() => Object.keys(real ?? {})) ?? [])])],
  }
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

const local = safeStorage(() => window.localStorage)
/** The page is on its way out: a token or a lock that still arrives in it must not be found by whoever comes next. */
let is_left = false

/** The stored text, or null. */
export function readStored(name: StoredName): string | null {
  return local.getItem(name)
}

/** The stored JSON, or undefined when absent or spoilt; the caller checks its shape. */
export function readStoredJson(name: StoredName): unknown {
  const text = local.getItem(name)
  return text === null ? undefined : attempt(() => JSON.parse(text))
}

/** Stores text as it is, anything else as JSON; null removes. After `clearStored` nothing is stored any more. */
export function store(name: StoredName, value: string | number | object | null): void {
  if (value === null) local.removeItem(name)
  else if (!is_left) local.setItem(name, typeof value === 'string' ? value : JSON.stringify(value))
}

/** Removes everything but `kept`, in both storages of the browser, for good: the page is about to be left. */
export function clearStored(kept: readonly StoredName[]): void {
  is_left = true
  for (const name of local.names()) if (!kept.some((k) => k === name)) local.removeItem(name)
  attempt(() => window.sessionStorage.clear())
}
