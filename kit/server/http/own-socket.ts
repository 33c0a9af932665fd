import type { IncomingMessage } from 'node:http'

/** The one address of the HTTP port that becomes a WebSocket. */
export const socket_path = '/mqtt'

/** Whether a request may become something else than a request; whoever asks so elsewhere is answered as if he had not. */
export function mayUpgrade({ url }: IncomingMessage): boolean {
  return url?.split('?')[0] === socket_path
}

/** The page's own WebSocket, by name: older browsers do not count it as the page's own origin. */
export function ownSocket({ headers }: IncomingMessage): string {
  const host = headers.host ?? ''
  return /^[a-z0-9.:[\]-]{1,255}$/i.test(host) ? `ws://${host} wss://${host}` : ''
}
