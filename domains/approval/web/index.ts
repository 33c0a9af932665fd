export { approvalPages } from './routes.ts'
