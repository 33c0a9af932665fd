import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { once } from 'node:events'
import type { App } from '../http/index.ts'
import type { Broker } from './broker.ts'
import { openEntrance } from './entrance.ts'
import { connect_ms } from './limits.ts'

/** The broker's own port (chapter 31 §1.1). */
export type TcpDoor = {
  /** @throws Error when the port is taken; `setting` names it */
  listen(at: { host: string; port: number; setting: string }): Promise<number>
  /** takes no more connections and ends those there are */
  leave(): void
}

/** Lets devices reach the broker by plain TCP, or by TLS with a certificate. @throws Error when certificate and key are none, or not of each other */
export function openTcp(app: App, broker: Broker, secured?: { cert: Buffer; key: Buffer }): TcpDoor {
  const sockets = new Set<Socket>()
  const come = admitter(app, broker, sockets)
  const server = secured ? createTlsServer({ ...secured, noDelay: true, handshakeTimeout: connect_ms }, come) : createServer({ noDelay: true }, come)
  return {
    async listen({ host, port, setting }) {
      server.listen({ host, port })
      await once(server, 'listening').catch((error: unknown) => {
        throw new Error(`${setting}: ${host}:${port} cannot be opened for devices (${error instanceof Error ? error.message : 'unknown'}); name another port`)
      })
      return portOf(server.address())
    },
    leave() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function admitter(app: App, broker: Broker, sockets: Set<Socket>): (socket: Socket) => void {
  const entrance = openEntrance(app, 'tcp')
  return socket => {
    const address = socket.remoteAddress ?? ''
    if (entrance.isFull(address)) return void socket.destroy()
    sockets.add(socket)
    const entered = entrance.enter(address)
    socket.once('close', () => {
      sockets.delete(socket)
      entered.known(null)
    })
    socket.on('error', () => socket.destroy())
    socket.on('data', chunk => {
      if (Buffer.isBuffer(chunk) && entered.look(chunk)) socket.destroy()
    })
    broker.take(socket, { address, transport: 'tcp', known: kind => entered.known(kind) })
  }
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}
