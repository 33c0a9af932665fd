import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { once } from 'node:events'
import type { App } from '../http/index.ts'
import type { Broker } from './broker.ts'
import { openEntrance } from './entrance.ts'

/** The broker's own port (chapter 31 §1.1). */
export type TcpDoor = {
  /** @throws Error when the port is taken */
  listen(at: { host: string; port: number }): Promise<number>
  /** takes no more connections and ends those there are */
  leave(): void
}

/** Lets devices reach the broker by plain TCP. */
export function openTcp(app: App, broker: Broker): TcpDoor {
  const entrance = openEntrance(app, 'tcp')
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, socket => {
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
  })
  return {
    async listen({ host, port }) {
      server.listen({ host, port })
      await once(server, 'listening').catch((error: unknown) => {
        throw new Error(`CAMPUS_MQTT_PORT: ${host}:${port} cannot be opened for devices (${error instanceof Error ? error.message : 'unknown'}); name another port`)
      })
      return portOf(server.address())
    },
    leave() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}
