import type { FieldError } from '@kit/contract'

const GENERIC = '系统异常，请稍后重试'
const FORBIDDEN = '无权限查看'
const SIGNED_OUT = '登录已失效，请重新登录'
const SUCCESS: readonly unknown[] = [600, 0]
const BROKEN_SERVER: readonly number[] = [500, 502, 504]

/** What a call is refused with. `status` 0 = no answer (broken network or time-out). `msg` is the sentence for the user. */
export class CallError extends Error {
  readonly status: number
  readonly code: number
  readonly msg: string
  readonly errors: readonly FieldError[]
  readonly data: unknown
  readonly error_id: string | undefined
  constructor(facts: { status: number; code: number; msg: string; errors?: readonly FieldError[]; data?: unknown; error_id?: string }) {
    super(facts.msg)
    this.name = 'CallError'
    this.status = facts.status
    this.code = facts.code
    this.msg = facts.msg
    this.errors = facts.errors ?? []
    this.data = facts.data
    this.error_id = facts.error_id
  }
}

/** Success with its data, a lost session, or a refusal with the sentence to show. */
export type Judgement = { kind: 'ok'; data: unknown } | { kind: 'signed_out'; error: CallError } | { kind: 'refused'; error: CallError }

/** Reads one answer by the rules of the error catalogue (product spec §8, platform rule S5). `body` is what JSON.parse gave. */
export function judge(status: number, body: unknown): Judgement {
  const code = numberAt(body, 'code')
  const ok = status >= 200 && status < 300
  if (ok && SUCCESS.includes(code)) return { kind: 'ok', data: at(body, 'data') }
  const data = at(body, 'data')
  const facts = { status, code: code ?? status, errors: fieldErrors(data), data, error_id: textAt(body, 'error_id') }
  const said = textAt(body, 'msg') || textAt(body, 'message')
  if (status === 401 || status === 406) return { kind: 'signed_out', error: new CallError({ ...facts, msg: said || SIGNED_OUT }) }
  // Who lacks a right is told that; a refusal of a domain (需由另一位管理员复核) says itself what to do.
  if (status === 403) return { kind: 'refused', error: new CallError({ ...facts, msg: facts.error_id === undefined ? FORBIDDEN : said || FORBIDDEN }) }
  if (BROKEN_SERVER.includes(status)) return { kind: 'refused', error: new CallError({ ...facts, msg: GENERIC }) }
  return { kind: 'refused', error: new CallError({ ...facts, msg: said || GENERIC }) }
}

/** JSON of an answer; null when the text is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function at(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
}

function textAt(body: unknown, name: string): string | undefined {
  const value = at(body, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function numberAt(body: unknown, name: string): number | undefined {
  const value = at(body, name)
  return typeof value === 'number' ? value : undefined
}

function fieldErrors(data: unknown): FieldError[] {
  const errors = at(data, 'errors')
  if (!Array.isArray(errors)) return []
  return errors.flatMap((item: unknown) => {
    const field = textAt(item, 'field')
    const msg = textAt(item, 'msg')
    return field !== undefined && msg !== undefined ? [{ field, msg }] : []
  })
}
