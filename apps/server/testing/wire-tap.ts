import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'

/** One packet of MQTT as it went by: its kind (3 PUBLISH, 8 SUBSCRIBE, …), the flags of its head and what follows the head. */
type TappedPacket = { from: 'client' | 'broker'; kind: number; flags: number; body: Buffer }
/** Stands between clients and a broker and keeps what goes by. */
export type WireTap = { port: number; packets: TappedPacket[]; close(): void }

/** Taps the way to the broker on a port of this machine. */
export async function tapWire(to_port: number): Promise<WireTap> {
  const packets: TappedPacket[] = []
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const broker = connect(to_port, '127.0.0.1')
    for (const [from, here, there] of [['client', client, broker], ['broker', broker, client]] as const) {
      sockets.add(here)
      const read = packetReader(packet => packets.push({ from, ...packet }))
      here.on('data', (chunk: Buffer) => {
        read(chunk)
        there.write(chunk)
      })
      here.on('error', () => undefined)
      here.on('close', () => there.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return {
    port: address.port,
    packets,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Cuts a stream into packets (MQTT 3.1.1 §2.2). */
function packetReader(take: (packet: Omit<TappedPacket, 'from'>) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  return chunk => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      let [length, at] = [0, 1]
      for (; at < rest.length && at <= 4; at += 1) {
        length += ((rest[at] ?? 0) & 0x7f) * 128 ** (at - 1)
        if ((rest[at] ?? 0) < 0x80) break
      }
      const begin = at + 1
      if (at >= rest.length || rest.length < begin + length) return
      take({ kind: (rest[0] ?? 0) >> 4, flags: (rest[0] ?? 0) & 0x0f, body: rest.subarray(begin, begin + length) })
      rest = rest.subarray(begin + length)
    }
  }
}
