/** One of the four automatic sign-ins: the call and what it takes over from the query. `school_id` where a shape names one. */
export type AutoLogin = { path: string; body: Record<string, string>; school_id: number | undefined }

/** Where a parameter is found: platforms name what they add after their own manner. */
type Source = readonly string[]
type Shape = { path: string; needed: Readonly<Record<string, Source>>; extra?: Readonly<Record<string, Source>> }

const code: Source = ['code', 'wxcode']

/** Marked shapes first: `auto_login`, `appid` and `type` stand in the address that we gave the provider; `code + school_id` also holds a code. */
const shapes: readonly Shape[] = [
  { path: 'cloud_auth/auto_login', needed: { wxcode: ['wxcode', 'code'], state: ['state'], auto_login: ['auto_login'] } },
  { path: 'weixiao_login/form/login', needed: { appid: ['appid'], code }, extra: { state: ['state'] } },
  { path: 'common_login/third/login', needed: { code, type: ['type'], token: ['token', 'state'] } },
  { path: 'common_login/form/login', needed: { code, school_id: ['school_id'] } },
]

/** The automatic sign-in the query asks for; a shape counts only when all its parameters are there and not empty. */
export function autoLoginOf(search: string): AutoLogin | null {
  const query = new URLSearchParams(search)
  const read = (wanted: Readonly<Record<string, Source>> = {}) => Object.entries(wanted).map(([name, sources]) => [name, sources.map(source => query.get(source) ?? '').find(value => value !== '') ?? ''] as const)
  for (const { path, needed, extra } of shapes) {
    const values = read(needed)
    const body = Object.fromEntries([...values, ...read(extra).filter(([, value]) => value !== '')])
    if (values.every(([, value]) => value !== '')) return { path: `/web/auth/${path}`, body, school_id: Number(body.school_id) || undefined }
  }
  return null
}
