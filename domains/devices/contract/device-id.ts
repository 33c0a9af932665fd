import { id } from '@kit/contract'

export const DeviceId = id('devices.device')
