export { approvalApi, ApprovalItem, ApprovalItemId, most_items } from './item.ts'
export { approvalRoutes } from './routes.ts'
