import { passwordLookupApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { lookUp } from './password-lookup.ts'

export const passwordLookupRoutes = implement(passwordLookupApi, { byPhone: { before: (pre, asked) => lookUp(pre, asked) } })
