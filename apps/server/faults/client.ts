// The fault tests bring engines of their own: they speak through this door, so that they do not run again on another engine.
export { test_settings } from '../testing/database.ts'
export { dataOf, send } from '../testing/request.ts'
export type { Answer } from '../testing/request.ts'
