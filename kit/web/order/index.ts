export { useDragOrder } from './drag-order.ts'
