import { createHmac } from 'node:crypto'

/** What stands for an address where the address itself may not stand; `#` tells it from a user_id. */
export function addressKey(data_key: Buffer, school_id: number, address: string): string {
  return `#${createHmac('sha256', data_key).update(`messages.address:${school_id}:${address}`).digest('base64url')}`
}

/** What a sealed text of this domain is for: that of another school or channel does not open. */
export const purposeOf = {
  address: (school_id: number) => `messages.address:${school_id}`,
  secret: (school_id: number, channel: number) => `messages.secret:${school_id}:${channel}`,
  receipt: (school_id: number, channel: number) => `messages.receipt:${school_id}:${channel}`,
}
