import { abnormalErrors } from './abnormal/abnormal.ts'
import { doorErrors } from './door/errors.ts'
import { grantErrors } from './grant/errors.ts'
import { passErrors } from './pass/errors.ts'
import { pickupPersonErrors } from './pickup/person.ts'
import { pickupErrors } from './pickup/pickup.ts'
import { ruleErrors } from './rule/errors.ts'
import { temporaryErrors } from './temporary/errors.ts'
import { visitorErrors } from './visitor/errors.ts'

/** User-facing failures of access. */
export const accessErrors = {
  ...abnormalErrors,
  ...doorErrors,
  ...grantErrors,
  ...passErrors,
  ...pickupErrors,
  ...pickupPersonErrors,
  ...ruleErrors,
  ...temporaryErrors,
  ...visitorErrors,
}
