import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const program = '/usr/sbin/mosquitto'
const [attempts, attempt_ms] = [200, 50]

/** A mosquitto of our own on a free port of this machine; its files live in `folder` until `remove`. */
export type Mosquitto = { port: number; folder: string; start(): Promise<void>; /** reads its password and ACL files again */ reload(): void; /** ends it at once, as when the machine fails */ kill(): Promise<void>; remove(): Promise<void> }

/** Prepares a mosquitto; `conf` makes its configuration. @throws Error in one line when the package is missing */
export async function prepareMosquitto(conf: (at: { port: number; folder: string }) => string): Promise<Mosquitto> {
  if (!existsSync(program)) throw new Error('This needs Mosquitto: run `sudo apt-get install -y mosquitto`, then again.')
  const [port, folder] = [await freePort(), await mkdtemp(join(tmpdir(), 'campus-mosquitto-'))]
  const file = join(folder, 'mosquitto.conf')
  await writeFile(file, conf({ port, folder }))
  let child: ReturnType<typeof spawn> | undefined
  const kill = async () => {
    const running = child
    child = undefined
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
  }
  return {
    port,
    folder,
    async start() {
      child = spawn(program, ['-c', file], { stdio: 'ignore' })
      await untilOpen(port)
    },
    reload: () => void child?.kill('SIGHUP'),
    kill,
    async remove() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilOpen(port: number): Promise<void> {
  for (let at = 0; at < attempts; at += 1) {
    const socket = connect(port, '127.0.0.1')
    const is_open = await once(socket, 'connect').then(() => true, () => false)
    socket.destroy()
    if (is_open) return
    await sleep(attempt_ms)
  }
  throw new Error('mosquitto did not start')
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('no free port')
  return address.port
}
