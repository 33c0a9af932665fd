import { z } from 'zod'

/** Envelope code of success; clients accept 0 too. */
export const success_code = 600

export type Envelope = { code: number; msg: string; data: unknown; error_id?: string }

/** Sizes of every list (product spec §2). */
export const page_sizes = [20, 50, 100, 200, 300] as const

/** Paging part of a list query: `page_index` from 1, `page_size` one of 20, 50, 100, 200, 300 (default 20). */
export const PageQuery = z.object({
  page_index: z.coerce.number().int().min(1).max(1_000_000).default(1),
  page_size: z.coerce
    .number()
    .refine(n => page_sizes.some(size => size === n), { error: '每页条数只能是20、50、100、200、300' })
    .default(20),
})

/** Reply of a list. */
export function page<T extends z.core.$ZodType>(row: T) {
  return z.object({ list: z.array(row), total: z.number().int().min(0) })
}

/** A bigint key as a decimal string; `kind` says of what (`people.dept`). */
export function id(kind: string) {
  return z.string().regex(/^-?[0-9]{1,18}$/).meta({ id_of: kind })
}

/** School id on the wire is a number. */
export const SchoolId = z.coerce.number().int().min(0).max(2_147_483_647)

/** A calendar day `YYYY-MM-DD` that exists. */
export const Day = z.iso.date()

/** An instant on the wire (RFC 3339 with offset). */
export const Instant = z.iso.datetime({ offset: true })

/** A yes/no in a query string: 1/0 or true/false. */
export const QueryFlag = z.enum(['1', '0', 'true', 'false']).transform(v => v === '1' || v === 'true')

/** A comma separated list in a query string. */
export function queryList<T extends z.core.$ZodType<unknown, string>>(item: T, max: number) {
  return z
    .string()
    .transform(text => text.split(',').filter(part => part !== ''))
    .pipe(z.array(item).max(max))
}

/** `all`, empty and absent mean the same to every list filter (chapter 90 decision 38). */
export function filter<T extends z.core.$ZodType>(value: T) {
  return z.union([z.literal('all').transform(() => undefined), z.literal('').transform(() => undefined), value]).optional()
}

/** Reply of a write that has nothing to tell. */
export const Done = z.object({})
