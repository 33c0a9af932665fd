import { z } from 'zod'

/** Path prefixes of the service families (same-origin defaults; a deployment may put another prefix before them). */
export const familyPrefix = {
  web: '/web',
  core: '/core',
  leave: '/leave',
  material: '/material',
  v2: '/api/v2',
  iot: '/iot/api',
  pay: '/pay',
  admin: '/admin-api',
} as const
export type Family = keyof typeof familyPrefix

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Row scope words of the register (chapter 90 §2); nobody else computes row scope. */
export type Within = 'school' | 'dept' | 'student_dept' | 'staff_dept' | 'place' | 'self' | 'own' | 'audience'

/**
 * Who may call: a permission code (`need`), any signed-in person (`session`), the holder of a short one-purpose
 * credential (`ticket`), a machine (`auth`), or anybody (`open`, with the sentence that justifies it). A `webhook` is a letter that an outside
 * provider signs: its query is parsed, its body stays as it came (`pre.letter`), since the signature is over the bytes.
 */
export type Access =
  | { need: string; within?: Within }
  | { session: true; within?: Within }
  | { ticket: string }
  | { auth: 'device' | 'app' | 'webhook' }
  | { open: string }

/** Marks a reply that is a file, not an envelope. */
export const download = z.custom<'download'>(() => true).meta({ download: true })

/** Marks a reply that is a sheet, or an envelope with the number of the job that makes it: `{ job_no }`. */
export const sheet = z.custom<'sheet'>(() => true).meta({ download: true })

/** Marks a reply that sends the browser on to another address (302). */
export const redirect = z.custom<'redirect'>(() => true).meta({ redirect: true })

/** A multipart upload: one field `file`, stored in a temporary file before the handler runs. */
export type Upload = { max_mb: number; extensions: readonly string[] }
export type UploadedFile = { path: string; file_name: string; size: number }

/** The core of every schema: against the whole class, with its forty methods, each schema of each call was compared member by member. */
type Shape = z.core.$ZodType
type Details<P extends Shape, I extends Shape, R extends Shape> = {
  params?: P
  query?: I
  body?: I
  reply: R
  /** other documented names of the same call, full path inside the family */
  also?: readonly string[]
  upload?: Upload
  /** kind of the line in the operation log (LOG_OP 1-14); default by method: POST 3, PUT 4, DELETE 5. A GET that says one is logged too. */
  op?: number
  /** asks and changes nothing: a POST for the size of its question alone. Its line in the operation log, if any, is a look (13) or an export (7) */
  reads?: true
  /** a write of a machine that says so little and so often that a line each would bury the log; why */
  unlogged?: string
  /** the answer holds a secret: it is not kept for a request that is repeated under the same Idempotency-Key, which does the work again */
  tells_secret?: true
  /** a big answer that rarely changes: it carries an ETag, and who shows that again while it still holds is told 304 without a body */
  tagged?: true
} & Access

export type Endpoint<P extends Shape = Shape, I extends Shape = Shape, R extends Shape = Shape> = {
  method: Method
  path: string
  details: Details<P, I, R>
}

/** A registered endpoint: knows its family, full paths and its name in the log (`people.student.list`). */
export type Call<E extends Endpoint = Endpoint> = E & { family: Family; call: string; paths: readonly string[] }

const nothing = z.object({})
type Nothing = typeof nothing

function endpoint(method: Method) {
  return <R extends Shape, P extends Shape = Nothing, I extends Shape = Nothing>(
    path: string,
    details: Details<P, I, R>,
  ): Endpoint<P, I, R> => ({ method, path, details })
}

export const get = endpoint('GET')
export const post = endpoint('POST')
export const put = endpoint('PUT')
export const del = endpoint('DELETE')

type Calls<T extends Record<string, Endpoint>> = { [K in keyof T]: Call<T[K]> }

/**
 * Declares the calls of one resource.
 * @param family service family, gives the path prefix
 * @param name log name of the resource, `domain.noun`; a call is named `domain.noun.verb`
 */
export function api<T extends Record<string, Endpoint>>(family: Family, name: string, endpoints: T): Calls<T> {
  const entries = Object.entries(endpoints).map(([verb, e]) => {
    const paths = [e.path, ...(e.details.also ?? [])].map(p => `${familyPrefix[family]}/${p}`)
    return [verb, { ...e, family, call: `${name}.${verb}`, paths }]
  })
  return Object.fromEntries(entries)
}

/** What a handler receives: path parameters and query (GET, DELETE, webhook) or body (POST, PUT), already parsed, in one object. */
export type Input<E> = E extends Endpoint<infer P, infer I, Shape> ? z.output<P> & z.output<I> : never
/** What a caller passes: the same before parsing (defaults may be left out). */
export type Request<E> = E extends Endpoint<infer P, infer I, Shape> ? z.input<P> & z.input<I> : never
/** What a call answers in `data`. */
export type Reply<E> = E extends Endpoint<Shape, Shape, infer R> ? z.output<R> : never

/** True when the call answers a file, at least as a rule. */
export function isDownload(e: Endpoint): boolean {
  return z.globalRegistry.get(e.details.reply)?.download === true
}

/** True when the call sends the browser on. */
export function isRedirect(e: Endpoint): boolean {
  return z.globalRegistry.get(e.details.reply)?.redirect === true
}

/** True when an outside provider calls, with a signature in place of a session. */
export function isWebhook(e: Endpoint): boolean {
  return 'auth' in e.details && e.details.auth === 'webhook'
}

/** True when the call leaves a line in the operation log: every write, and a reading that says of what kind its line is. */
export function isLogged({ method, details }: Endpoint): boolean {
  const is_write = method !== 'GET' && details.reads === undefined
  return (is_write || details.op !== undefined) && details.unlogged === undefined
}

/** The permission code of a call, if it needs one. */
export function needOf(e: Endpoint): string | undefined {
  return 'need' in e.details ? e.details.need : undefined
}
