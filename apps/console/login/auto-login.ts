/** One of the four automatic sign-ins: the call and what it takes over from the query. */
export type AutoLogin = { path: string; body: Record<string, string> }

/** More particular shapes first: `code + type + token` and `code + school_id` also hold a code. */
const shapes: readonly (readonly [path: string, names: readonly string[]])[] = [
  ['/web/auth/cloud_auth/auto_login', ['wxcode', 'state', 'auto_login']],
  ['/web/auth/weixiao_login/form/login', ['appid', 'code']],
  ['/web/auth/common_login/third/login', ['code', 'type', 'token']],
  ['/web/auth/common_login/form/login', ['code', 'school_id']],
]

/** The automatic sign-in the query asks for; a shape counts only when all its parameters are there and not empty. */
export function autoLoginOf(search: string): AutoLogin | null {
  const query = new URLSearchParams(search)
  for (const [path, names] of shapes) {
    const body = Object.fromEntries(names.map(name => [name, query.get(name) ?? '']))
    if (names.every(name => body[name] !== '')) return { path, body }
  }
  return null
}
