import type { Carrier } from './carrier.ts'

/** Takes everything and brings it nowhere; only in the test environment. */
export const testCarrier: Carrier = {
  adapter: 'test',
  isReady: () => true,
  hostOf: () => null,
  send: async () => ({ provider_id: null }),
}
