/**
 * One user-facing failure: HTTP status, envelope code (the status unless the product numbers it) and the Chinese sentence.
 * `{name}` in the sentence is filled from the parameters of `fail`.
 */
export type Failure = { id: string; status: number; code: number; msg: string }
type Line = readonly [status: number, msg: string, code?: number]

/** Declares the failures of a domain; the id is `domain.name`. */
export function failures<T extends Record<string, Line>>(domain: string, lines: T): { [K in keyof T]: Failure } {
  const entries = Object.entries(lines).map(([name, [status, msg, code]]) => {
    return [name, { id: `${domain}.${name}`, status, code: code ?? status, msg }]
  })
  return Object.fromEntries(entries)
}

export type FieldError = { field: string; msg: string }
export type FailureDetails = {
  /** fills `{name}` in the sentence */
  params?: Record<string, string | number>
  /** goes to `data` of the envelope (ids that block, the numbered refusals' token …) */
  data?: Record<string, unknown>
  errors?: FieldError[]
  /** seconds for Retry-After */
  retry_after?: number
}

/** A refusal on its way to the caller; thrown by services, turned into the envelope by the http adapter. */
export class Refusal extends Error {
  readonly failure: Failure
  readonly details: FailureDetails
  constructor(failure: Failure, details: FailureDetails) {
    super(fill(failure.msg, details.params))
    this.name = 'Refusal'
    this.failure = failure
    this.details = details
  }
}

/** Builds a refusal: `throw fail(peopleErrors.deptNameTaken)`. */
export function fail(failure: Failure, details: FailureDetails = {}): Refusal {
  return new Refusal(failure, details)
}

function fill(msg: string, params: Record<string, string | number> = {}): string {
  return msg.replace(/\{(\w+)\}/g, (whole, name: string) => (name in params ? String(params[name]) : whole))
}

/** Failures that belong to no domain (architecture §5, product spec §8). */
export const commonErrors = failures('common', {
  malformed: [400, '请求内容有误，请检查后重试'],
  unauthorized: [401, '登录已失效，请重新登录'],
  forbidden: [403, '无权限查看'],
  notFound: [404, '数据不存在或已被删除'],
  stale: [409, '数据已被他人修改，请刷新后重试'],
  tooLarge: [413, '文件大小不能超过{n}MB'],
  bodyTooLarge: [413, '提交的内容过大，请减少后重试'],
  unsupportedType: [415, '文件格式不支持'],
  invalid: [422, '输入内容有误，请重新输入！'],
  exportReason: [422, '请填写导出原因'],
  exportTooBig: [422, '结果超过{n}条，请增加筛选条件后再导出'],
  rangeReversed: [422, '结束日期不能早于开始日期'],
  rangeTooLong: [422, '一次最多查询{n}天，请缩短日期范围'],
  tooFast: [429, '请求过于频繁，请稍后再试'],
  internal: [500, '系统异常，请稍后重试'],
  busy: [503, '系统异常，请稍后重试'],
})
