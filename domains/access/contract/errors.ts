import { passErrors } from './pass/errors.ts'
import { visitorErrors } from './visitor/errors.ts'

/** User-facing failures of access. */
export const accessErrors = {
  ...passErrors,
  ...visitorErrors,
}
