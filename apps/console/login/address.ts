/** What the address says about this visit, read once before anything renders. */
export type Visit = {
  /** the numeric id of `/{school_id}`, absent at the root */
  school_id: number | undefined
  /** an automatic sign-in asked for by the query, if any */
  auto: AutoLogin | null
  /** neither query nor school id: the only address that shows the filing notice */
  is_bare: boolean
}

/** One of the four automatic sign-ins: the call and what it takes over from the query. */
export type AutoLogin = { path: string; body: Record<string, string> }

const LARGEST_ID = 2_147_483_647

/** More particular shapes first: `code + type + token` and `code + school_id` also hold a code. */
const shapes: readonly (readonly [path: string, names: readonly string[]])[] = [
  ['/web/auth/cloud_auth/auto_login', ['wxcode', 'state', 'auto_login']],
  ['/web/auth/weixiao_login/form/login', ['appid', 'code']],
  ['/web/auth/common_login/third/login', ['code', 'type', 'token']],
  ['/web/auth/common_login/form/login', ['code', 'school_id']],
]

/** Reads path and query of the login page (product spec §2 Login). */
export function readVisit(pathname: string, search: string): Visit {
  const school_id = schoolIdOf(pathname)
  return { school_id, auto: autoLoginOf(search), is_bare: school_id === undefined && search.replace('?', '') === '' }
}

/** The school named by `/{school_id}`; anything that cannot be a school id is the root. */
export function schoolIdOf(pathname: string): number | undefined {
  const digits = /^\/(\d{1,10})\/?$/.exec(pathname)?.[1]
  const id = Number(digits ?? 0)
  return id >= 1 && id <= LARGEST_ID ? id : undefined
}

/** The automatic sign-in the query asks for; a shape counts only when all its parameters are there and not empty. */
export function autoLoginOf(search: string): AutoLogin | null {
  const query = new URLSearchParams(search)
  for (const [path, names] of shapes) {
    const body = Object.fromEntries(names.map(name => [name, query.get(name) ?? '']))
    if (names.every(name => body[name] !== '')) return { path, body }
  }
  return null
}
