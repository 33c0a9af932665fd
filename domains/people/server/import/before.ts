import { sealText } from '../seal.ts'

/** The image from which an undo restores, sealed: it holds personal values of many people for 180 days. */
export function sealBefore(data_key: Buffer, school_id: number, before: unknown): { sealed: string } {
  return { sealed: sealText(data_key, purposeOf(school_id), JSON.stringify(before, keepBytes)).toString('base64') }
}

/** A Buffer reaches a replacer as `{ type, data }`: short hexadecimal text instead of a list of numbers. */
function keepBytes(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('data' in value)) return value
  return value.type === 'Buffer' && Array.isArray(value.data) ? { hex: Buffer.from(value.data).toString('hex') } : value
}

function purposeOf(school_id: number): string {
  return `people.import_before:${school_id}`
}
