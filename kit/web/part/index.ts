export { PartState } from './part-state.tsx'
