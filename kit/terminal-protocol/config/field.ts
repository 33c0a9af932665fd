/** A field of a device's configuration: its value as delivered and what it takes. */
export type ConfigField = { initial: number | string | readonly string[]; least?: number; most?: number; decimals?: number; values?: readonly (number | string)[]; is_fixed?: true; is_needed?: true; /** written and never read back */ is_secret?: true }
/** Fields by group: a value is named `group.field`. */
export type ConfigFields = Readonly<Record<string, Readonly<Record<string, ConfigField>>>>

const fixed = (initial: number | string): ConfigField => ({ initial, is_fixed: true })
const between = (initial: number, least: number, most?: number): ConfigField => ({ initial, least, ...(most === undefined ? {} : { most }) })
const oneOf = (initial: number | string, ...values: (number | string)[]): ConfigField => ({ initial, values })
const flag = (initial: 0 | 1): ConfigField => oneOf(initial, 0, 1)
const text = (initial = ''): ConfigField => ({ initial })
const secret = (): ConfigField => ({ initial: '', is_secret: true })

/** How tables of fields are written down. */
export const field = { fixed, between, oneOf, flag, text, secret }
