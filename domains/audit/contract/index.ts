export { log_op } from './dictionary.ts'
