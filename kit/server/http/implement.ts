import type { Call, Endpoint, Input, Reply } from '@kit/contract'
import { commonErrors, fail, isWebhook } from '@kit/contract'
import { z } from 'zod'
import type { ListExport } from '../excel/list-export.ts'
import type { Ctx, FileReply, JobReply, Pre, RedirectReply } from './context.ts'

// What a schema refuses reaches people as data.errors: in their language.
z.config(z.locales.zhCN())

type Answer<E> = Reply<E> extends 'download' ? FileReply : Reply<E> extends 'sheet' ? FileReply | JobReply : Reply<E> extends 'redirect' ? RedirectReply : Reply<E>

/**
 * How a call is answered: plainly inside its transaction; wholly outside one (`outside`); or in two steps, where `before`
 * does what is not SQL (hashing, files, throttles) and answers the function that then runs inside the transaction. An upload without a
 * session says by `admit`, before its body is read, whether it is taken and how many bytes at most.
 */
export type Handler<DB, E> =
  | ((ctx: Ctx<DB>, input: Input<E>) => Promise<Answer<E>>)
  | { outside: (pre: Pre, input: Input<E>) => Promise<Answer<E>>; admit?: Admit }
  | { before: (pre: Pre, input: Input<E>) => Promise<(ctx: Ctx<DB>) => Promise<Answer<E>>>; list?: ListExport }

type Admit = (pre: Pre, params: unknown) => Promise<number>

type LooseHandler<DB> =
  | ((ctx: Ctx<DB>, input: object) => Promise<unknown>)
  | { outside: (pre: Pre, input: object) => Promise<unknown>; admit?: Admit }
  | { before: (pre: Pre, input: object) => Promise<(ctx: Ctx<DB>) => Promise<unknown>>; list?: ListExport }

/** What the http adapter gives a route for one request. */
export type Flow = {
  params: unknown
  query: unknown
  body: unknown
  pre: Pre
  /** runs fn in the request's one transaction (log line and idempotency included) */
  inside<DB>(fn: (ctx: Ctx<DB>) => Promise<unknown>): Promise<unknown>
  /** what a handler does before the transaction; a refusal gets its log line */
  before<R>(fn: () => Promise<R>): Promise<R>
  /** a call answered outside its own transaction still gets its log line */
  outside(fn: () => Promise<unknown>): Promise<unknown>
}
export type Route = { call: Call; admit?: Admit; /** the list that an export call makes sheets of */ list?: ListExport; handle(flow: Flow): Promise<unknown> }

/** Binds `implement` to the tables and views a domain may name. */
export function implementFor<DB>() {
  /** Answers every call of an api constant; a missing or extra handler does not compile. */
  function implement<T extends Record<string, Call>>(calls: T, handlers: { [K in keyof T]: Handler<DB, T[K]> }): Route[]
  function implement(calls: Record<string, Call>, handlers: Record<string, LooseHandler<DB>>): Route[] {
    return Object.entries(calls).map(([verb, call]) => {
      const handler = handlers[verb]
      if (!handler) throw new Error(`no handler for ${call.call}`)
      const admit = typeof handler === 'object' && 'admit' in handler ? handler.admit : undefined
      const list = typeof handler === 'object' && 'list' in handler ? handler.list : undefined
      return { call, ...(admit ? { admit } : {}), ...(list ? { list } : {}), handle: flow => handle(call, handler, flow) }
    })
  }
  return implement
}

function handle<DB>(call: Call, handler: LooseHandler<DB>, flow: Flow): Promise<unknown> {
  const input = parseInput(call, flow)
  if (typeof handler === 'function') return flow.inside<DB>(ctx => handler(ctx, input))
  if ('outside' in handler) return flow.outside(() => handler.outside(flow.pre, input))
  return flow.before(() => handler.before(flow.pre, input)).then(run => flow.inside<DB>(run))
}

function parseInput(call: Endpoint, flow: Flow): object {
  const { params, query, body } = call.details
  const is_in_query = call.method === 'GET' || call.method === 'DELETE' || isWebhook(call)
  const sent = is_in_query ? flow.query : (flow.body ?? {})
  return { ...parse(params, flow.params), ...parse(query ?? body, sent) }
}

function parse(schema: z.core.$ZodType | undefined, value: unknown): object {
  if (!schema) return {}
  const parsed = z.safeParse(schema, value ?? {})
  if (!parsed.success) {
    const errors = parsed.error.issues.map(issue => ({ field: issue.path.join('.'), msg: issue.message }))
    throw fail(commonErrors.malformed, { errors: errors.slice(0, 50) })
  }
  return typeof parsed.data === 'object' && parsed.data !== null ? parsed.data : {}
}
