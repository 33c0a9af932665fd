import pg from 'pg'

/** A parameter as it travels: text, bytes or null. */
export type WireValue = string | Uint8Array | null

/** The protocol counts parameters in 16 bits; beyond that the count would wrap silently. */
const MOST_PARAMETERS = 65_535

const asText = (text: string): string => text
const TEXT_ARRAY: number = 1009
const asTextArray = pg.types.getTypeParser(TEXT_ARRAY, 'text')

// int8 numeric date timestamp interval int4range numrange tsrange tstzrange daterange int8range: a JavaScript number or Date would lose or shift them.
const TEXT_TYPES = [20, 1700, 1082, 1114, 1186, 3904, 3906, 3908, 3910, 3912, 3926]
const TEXT_ARRAY_TYPES = [1016, 1231, 1182, 1115, 1187, 3905, 3907, 3909, 3911, 3913, 3927]

const PARSERS = new Map<number, (text: string) => unknown>([
  ...TEXT_TYPES.map((oid) => [oid, asText] as const),
  ...TEXT_ARRAY_TYPES.map((oid) => [oid, asTextArray] as const),
])

/** The reader of a column's text by type oid, the same on both engines: int8, numeric, date, interval and ranges (and their arrays) stay text, timestamptz becomes Date, json is parsed, bytea becomes Buffer. */
export function parserOf(oid: number): (text: string) => unknown {
  return PARSERS.get(oid) ?? pg.types.getTypeParser(oid, 'text')
}

/** Type parsers in the shape that pg asks for. */
export const pgTypes: pg.CustomTypesConfig = { getTypeParser: (oid) => parserOf(oid) }

/**
 * Turns parameters into what travels: arrays become PostgreSQL arrays, Date an RFC 3339 instant, bytes stay bytes, other objects JSON text.
 * One encoder for both engines, so that a parameter accepted by one is accepted by the other. Throws on an invalid Date and on more than 65535 parameters.
 */
export function encodeParameters(values: readonly unknown[]): WireValue[] {
  if (values.length > MOST_PARAMETERS) {
    throw new Error(`a statement takes at most ${MOST_PARAMETERS} parameters, got ${values.length}: insert in smaller batches`)
  }
  return values.map(encodeParameter)
}

function encodeParameter(value: unknown): WireValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (ArrayBuffer.isView(value)) return bytesOf(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return encodeArray(value)
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

function bytesOf(view: ArrayBufferView): Buffer {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength)
}

/** A value of an array column as the text of that array; null stays null. */
export function arrayText(value: unknown): string | null {
  return Array.isArray(value) ? encodeArray(value) : value === null || value === undefined ? null : String(value)
}

function encodeArray(items: readonly unknown[]): string {
  return `{${items.map(encodeElement).join(',')}}`
}

/** Signs that an element of an array cannot hold as they are. */
const special = /["\\]/

function encodeElement(item: unknown): string {
  if (Array.isArray(item)) return encodeArray(item)
  const value = encodeParameter(item)
  if (value === null) return 'NULL'
  if (typeof value === 'string') return special.test(value) ? `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : `"${value}"`
  return `"\\\\x${Buffer.from(value).toString('hex')}"`
}
