import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Config } from '@kit/server/config'
import type { Running } from '../boot.ts'
import { issueToken } from './issue-token.ts'

const has_socket: readonly string[] = ['dev', 'test']

/** The embedded engine belongs to the running server, so in development and tests the command line asks it for tokens over this socket. */
const socketOf = (config: Config) => join(config.CAMPUS_DATA_DIR, 'dev.sock')

/** Answers `token <account>` with `ok <token>` or `error <why>`, one question a connection. Its file is for this user alone; it closes with the server. */
export function openDevSocket(running: Running): void {
  const { config, log } = running.app
  if (!has_socket.includes(config.CAMPUS_ENV) || config.CAMPUS_DATA_DIR === 'memory://' || process.platform === 'win32') return
  const path = socketOf(config)
  rmSync(path, { force: true })
  const server = createServer({ allowHalfOpen: true }, socket => void answer(running, socket))
  server.on('error', error => log.warn({ err: error }, 'no development socket'))
  const mask = process.umask(0o177)
  server.listen(path, () => chmodSync(path, 0o600))
  process.umask(mask)
  running.http.addHook('onClose', async () => void server.close())
}

/** The running server's answer; null when none listens here. @throws Error with the server's own words */
export async function askDevSocket(config: Config, account: string): Promise<string | null> {
  const socket = connect(socketOf(config))
  const is_open = await new Promise<boolean>(resolve => socket.once('connect', () => resolve(true)).once('error', () => resolve(false)))
  if (!is_open) return null
  socket.end(`token ${account}`)
  const [, verdict, body = ''] = /^(ok|error) (.*)$/s.exec(await text(socket)) ?? []
  if (verdict !== 'ok') throw new Error(body || 'the running server did not answer')
  return body
}

async function answer(running: Running, socket: Socket): Promise<void> {
  socket.on('error', () => socket.destroy())
  const [, account] = /^token (\w{1,30})$/.exec(await text(socket).catch(() => '')) ?? []
  const asked = account === undefined ? Promise.reject(new Error('ask for `token <account>`')) : issueToken(running, account)
  socket.end(await asked.then(token => `ok ${token}`, (error: unknown) => `error ${error instanceof Error ? error.message : String(error)}`))
}
