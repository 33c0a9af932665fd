/** Why a console refuses something; each has its sentence in both dictionaries. */
export const fault_codes = [
  'address', 'battery', 'busy', 'card', 'choice', 'csrf', 'empty', 'firmware_broken', 'firmware_name', 'host', 'integer', 'locked', 'malformed', 'mapping', 'must_change', 'old_wrong',
  'password_digits', 'password_empty', 'password_long', 'password_mismatch', 'password_same', 'password_wrong', 'range', 'schedule', 'serial_number', 'session', 'text', 'too_large', 'unknown',
] as const
export type FaultCode = (typeof fault_codes)[number]

/** A refusal: of which field (`group.name`), with the figures that its sentence names. */
export type Fault = { code: FaultCode; key?: string; least?: number; most?: number; seconds?: number }
