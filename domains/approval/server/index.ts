import { approvalRoutes as facts } from '@campus/approval/contract'
import type { DomainServer } from '@kit/server/http'
import { approvalItemRoutes } from './item.routes.ts'

export { registerProvider } from './provider-port.ts'
export type { ApprovalCtx, ApprovalProvider } from './provider-port.ts'

export const approvalServer: DomainServer = {
  name: 'approval',
  routes: approvalItemRoutes,
  facts,
}
