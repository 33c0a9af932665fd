export { FlowLane } from './flow-lane.tsx'
export type { FlowCard } from './flow-lane.tsx'
export { approvalPages } from './routes.ts'
