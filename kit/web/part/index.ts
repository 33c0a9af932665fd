export { Loaded, PartState } from './loaded.tsx'
export { useCall } from './use-call.ts'
