export { connectDevices } from './ports.ts'
export { devicesPages } from './routes.ts'
