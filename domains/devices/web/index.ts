export { connectDevices } from './ports.ts'
export { devicesPages } from './routes.ts'
export { useReader } from './reader/use-reader.ts'
export type { Reader } from './reader/use-reader.ts'
