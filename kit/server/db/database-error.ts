import pg from 'pg'

const ERROR_FIELDS = [
  'severity', 'code', 'detail', 'hint', 'position', 'where', 'schema', 'table', 'column', 'dataType', 'constraint', 'routine',
] as const

/** The fields of a database error as plain data: an Error loses them when it crosses threads. */
export type ErrorFields = { message: string } & { [field in (typeof ERROR_FIELDS)[number]]?: string }

/** What a failed statement says about itself, for mapping constraint → refusal. */
export type ConstraintFailure = { code: string; constraint?: string; table?: string; column?: string; detail?: string }

const SQLSTATE = /^[0-9A-Z]{5}$/
/** What an error says of a constraint or a table: a Citus coordinator passes on the words of a worker without their fields. */
const named_in = { constraint: /constraint "([^"]+)"/, table: /(?:relation|on table) "([^"]+)"/ } as const
// Citus numbers shards from 102008 and appends the number to the names it reports.
const SHARD_SUFFIX = /_\d{6,}$/
const DOWN_STATES = new Set(['57P01', '57P02', '57P03', '53300'])
const DOWN_SYSTEM_CODES = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH',
])

/** Copies the fields of any thrown value into plain data that survives postMessage. */
export function fieldsOf(error: unknown): ErrorFields {
  const fields: ErrorFields = { message: error instanceof Error ? error.message : String(error) }
  for (const name of ERROR_FIELDS) {
    const value = propertyOf(error, name)
    if (typeof value === 'string') fields[name] = value
  }
  return fields
}

/** Makes the same error that pg throws out of copied fields; a plain Error when they hold no SQLSTATE. */
export function errorOf(fields: ErrorFields): Error {
  if (fields.code === undefined) return new Error(fields.message)
  return Object.assign(new pg.DatabaseError(fields.message, 0, 'error'), fields)
}

/** An Error with an SQLSTATE of class 08 (connection): the session is gone, the statement may or may not have run. */
export function connectionError(message: string, code: '08001' | '08003' | '08006', cause?: unknown): Error & { code: string } {
  return Object.assign(new Error(message, { cause }), { code })
}

/**
 * The code, constraint, table, column and detail of an error that the database reported; null for anything else.
 * Of a broken constraint both names are read from the message where the fields are missing; the shard number that Citus appends to them is stripped.
 */
export function constraintOf(error: unknown): ConstraintFailure | null {
  const { message, code, severity, constraint, table, column, detail } = fieldsOf(error)
  if (code === undefined || severity === undefined || !SQLSTATE.test(code)) return null
  const named = (part: keyof typeof named_in) => (code.startsWith('23') ? named_in[part].exec(message)?.[1] : undefined)
  return { code, constraint: withoutShard(constraint ?? named('constraint')), table: withoutShard(table ?? named('table')), column, detail }
}

/** True when the database cannot be reached or went away (answer 503 and try later); false for a failed statement. */
export function isDatabaseDown(error: unknown): boolean {
  const code = propertyOf(error, 'code')
  if (typeof code !== 'string') return false
  return DOWN_SYSTEM_CODES.has(code) || DOWN_STATES.has(code) || (SQLSTATE.test(code) && code.startsWith('08'))
}

/** A named property of an unknown value; undefined when there is none. */
export function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function withoutShard(name: string | undefined): string | undefined {
  return name?.replace(SHARD_SUFFIX, '')
}
