import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const sample = join(import.meta.dirname, '../../../docs/deploy/nginx.conf')
/** Debian puts it where only root's PATH looks. */
const places = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx', '/usr/local/bin/nginx']
const temp_folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/** An nginx in front of servers on ports of this machine. */
export type Nginx = { url: string; said(): string; stop(): Promise<void> }

/**
 * Runs nginx with the sample configuration of docs/deploy, word for word but for addresses and TLS, which needs a certificate. @throws Error in one line when nginx
 * is not installed
 */
export async function startNginx(ports: readonly number[]): Promise<Nginx> {
  const binary = places.find(path => existsSync(path))
  if (binary === undefined) throw new Error('This test needs nginx: run `sudo apt-get install -y nginx-light`, then again.')
  const home = mkdtempSync(join(tmpdir(), 'campus-nginx-'))
  const [plain = 0, tls = 0] = [await freePort(), await freePort()]
  writeFileSync(join(home, 'nginx.conf'), mainConfig(home, adapted(readFileSync(sample, 'utf8'), { plain, tls, ports })))
  const child = spawn(binary, ['-p', home, '-c', join(home, 'nginx.conf'), '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'pipe'] })
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part))
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${tls}`
  while (!(await isListening(tls))) {
    if (child.exitCode !== null) throw new Error(`nginx did not start: ${text}`)
    await Promise.race([ended, new Promise(resolve => setTimeout(resolve, 20))])
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(home, { recursive: true, force: true })
  }
  return { url, said: () => text, stop }
}

/** Every line of the sample stays but those that name addresses and certificates. @throws Error when the sample no longer has what is replaced */
function adapted(text: string, { plain, tls, ports }: { plain: number; tls: number; ports: readonly number[] }): string {
  const servers = (how: string) => ports.map(port => `  server 127.0.0.1:${port} ${how};`).join('\n')
  const changes: [RegExp, string][] = [
    [/^ {2}server 127\.0\.0\.1:7300 max_fails=1 fail_timeout=1s;$/m, servers('max_fails=1 fail_timeout=1s')],
    [/^ {2}server 127\.0\.0\.1:7300 max_fails=0 backup;$/m, servers('max_fails=0 backup')],
    [/^ {2}listen 80;$/m, `  listen 127.0.0.1:${plain};`],
    [/^ {2}listen 443 ssl http2;$/m, `  listen 127.0.0.1:${tls};`],
    [/^ {2}ssl_\w+ .*\n {2}ssl_\w+ .*\n {2}ssl_\w+ .*\n/m, ''],
  ]
  for (const [found] of changes) if (!found.test(text)) throw new Error(`docs/deploy/nginx.conf has nothing like ${found.source}`)
  return changes.reduce((made, [found, instead]) => made.replace(found, instead), text)
}

function mainConfig(home: string, site: string): string {
  const temp = temp_folders.map(name => `  ${name}_temp_path ${join(home, name)};`).join('\n')
  const user = process.getuid?.() === 0 ? 'user root;\n' : ''
  return `${user}daemon off;\npid ${join(home, 'pid')};\nerror_log stderr;\nevents { worker_connections 1024; }\nhttp {\n  access_log off;\n${temp}\n${site}\n}\n`
}

/** A port that nobody listens on right now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('no free port')
  return address.port
}

/** A bare connection: a request would make nginx look for servers that do not run yet, and remember it. */
function isListening(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(socket.destroy().destroyed))
    socket.once('error', () => resolve(false))
  })
}
