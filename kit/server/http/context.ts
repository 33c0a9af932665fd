import type { Call, ChannelFact, RouteFact, UploadedFile } from '@kit/contract'
import type { Kysely, QueryExecutorProvider } from 'kysely'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Config } from '../config/index.ts'
import type { FileStore } from '../files/index.ts'
import type { Logger } from '../log/index.ts'
import type { Secrets } from '../secrets/index.ts'

/** The clock of the product; tests move it. */
export type Clock = { now(): Date }

/** What every part of a running server may use. No database handle: that comes with the transaction. */
export type App = {
  config: Config
  secrets: Secrets
  log: Logger
  clock: Clock
  files: FileStore
  /** all console routes of all composed domains */
  facts: readonly RouteFact[]
  /** all calls of the server */
  calls: readonly Call[]
  /** every permission code that exists: the needs of the calls and the codes domains declare beside them */
  codes: ReadonlySet<string>
  /** who listens to which event */
  consumers: ReadonlyMap<string, readonly Consumer[]>
  /** what is told to open browsers, by name */
  channels: ReadonlyMap<string, ServedChannel>
}

/** On whose behalf a channel is looked into: a watcher's identity in a transaction of his school. */
export type ChannelDesk = { app: App; db: QueryExecutorProvider; school_id: number; me: Me; now: Date }
type ChannelRow = Record<string, unknown>

/** A channel with what its domain knows of it; made by `serveChannel` of kit/server/realtime. */
export type ServedChannel = {
  fact: ChannelFact
  /** told to everybody without being asked for */
  always: boolean
  /** may he watch this one of the family? Asked when he begins, and again before he is told anything, at most once a second. */
  may?(desk: ChannelDesk, of: string): Promise<boolean>
  /** those of the rows that he may see */
  visible?(desk: ChannelDesk, rows: readonly ChannelRow[]): Promise<readonly ChannelRow[]>
}

/** What a consumer of an event may use: one transaction of the event's school, no more. */
export type EventDesk = { app: App; db: Kysely<unknown>; school_id: number; now: Date }

/** One listener to one event; made by `consume` of kit/server/event. */
export type Consumer = {
  name: string
  event: string
  fields: z.ZodObject
  /** hears of so many at once at most; absent: one by one */
  at_once?: number
  /** `payloads`: one, or up to `at_once` in the order in which they happened */
  handle(desk: EventDesk, payloads: readonly unknown[]): Promise<void>
}

/** Row scope of an identity in one dimension (chapter 10 role_scope); `facts` are today's declared duties and delegations. */
export type Scope = {
  kind: 'all' | 'own' | 'own_below' | 'class_teacher' | 'teaching' | 'custom' | 'self' | 'none'
  ids: readonly string[]
  facts: readonly { kind: 'class_teacher' | 'teaching' | 'delegated' | 'manager'; id: string }[]
}

/** The acting identity of a request: one account as one role in one school. */
export type Me = {
  user_id: string
  user_no: string
  user_name: string
  username: string
  school_id: number
  role_no: string
  role_id: string
  role_code: string
  role_name: string
  /** department under which the identity is held; '1' = the person's own */
  user_dep: string
  session_id: string
  is_super: boolean
  dept_is_exact: boolean
  codes: ReadonlySet<string>
  scopes: { dept: Scope; place: Scope }
  /** the person on whose behalf the identity is held (代办): every act under it is marked */
  acted_for?: { user_id: string; user_name: string }
  /** the session of one sub-application: it may make these calls and no other, whatever the identity may do elsewhere */
  mini?: { app_code: string; calls: ReadonlySet<string> }
}

export type RequestFacts = { request_id: string; ip: string; device_label: string; client: 'web' | 'mini' }

/** What a handler may add to its line of the operation log. */
export type Note = {
  school_id?: number
  user_id?: string
  user_no?: string
  user_name?: string
  role_no?: string
  role_name?: string
  /** an anonymous act: its line has no person, no address, and no time but the day */
  is_nameless?: true
  target_kind?: string
  target_id?: string
  target_name?: string
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  reason?: string
  batch_no?: string
  job_no?: string
  /** user_id of the person on whose behalf this was done, where the identity itself is one's own */
  acted_for?: string
}

type Common = {
  app: App
  now: Date
  log: Logger
  request: RequestFacts
  /** adds to the one log line of this request */
  note(more: Note): void
}

/** Inside the request's one transaction. `db` is that transaction, with the tenant set. */
export type Ctx<DB> = Common & {
  db: Kysely<DB>
  me: Me
  school_id: number
  /** the domain that computes a row scope says so; a scoped endpoint that never does is refused */
  scoped(): void
}

/** Outside any transaction: hashing, files, other schools. */
export type Pre = Common & {
  /** null on calls without a session */
  me: Me | null
  /** who calls an open call with a session all the same; null without one or with one that has ended */
  caller(): Promise<Me | null>
  /** the bare Authorization value, without `Bearer` */
  bearer: string
  cookies: Readonly<Record<string, string | undefined>>
  setCookie(name: string, value: string, max_age_s: number, path: string, same_site?: 'strict' | 'lax'): void
  /** one short transaction of its own; 0 = the installation. What it wrote survives a later refusal. */
  own<DB, R>(school_id: number, fn: (db: Kysely<DB>) => Promise<R>): Promise<R>
  /** what a provider has sent to a webhook; null on every other call */
  letter: Letter | null
  /** the upload of this request; what the handler does not keep is removed afterwards */
  file: UploadedFile | null
}

/** What an outside provider has sent, as it came: who it is the handler finds out by its signature. */
export type Letter = { body: string; headers: Readonly<Record<string, string | string[] | undefined>> }

/** Reply of a download: what is there already, or what can be opened anywhere (then parts of it can be asked for). */
export type FileReply = { file_name: string; mime: string; body: Buffer | Readable; size?: number } | SeekableReply
export type SeekableReply = { file_name: string; mime: string; size: number; open(part?: FilePart): Readable }
/** Bytes from `start` to `end`, both of them included. */
export type FilePart = { start: number; end: number }

/** Reply of an export that is made by a job. */
export type JobReply = { job_no: string }

/** Reply of a redirect: an address of this server (`/…`), or one that the handler has put together itself. */
export type RedirectReply = { location: string }

/** One line of the operation log (audit writes it). */
export type Operation = Note & {
  /** user_id of the person on whose behalf it was done */
  acted_for?: string
  request: RequestFacts
  op_type: number
  call: string
  ok: boolean
  code: number
  msg: string
  duration_ms: number
  happened_at: Date
}

/** Filled by the audit domain: writes one operation line inside the given transaction. */
export type WriteOperation = <DB>(db: Kysely<DB>, school_id: number, operation: Operation) => Promise<void>

/** Filled by the identity domain. */
export type Gate = {
  /** @throws Refusal 401 when the token is no live session */
  authenticate(token: string): Promise<Me>
}
