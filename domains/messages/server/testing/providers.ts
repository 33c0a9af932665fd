import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A provider of short messages on this machine: what it was asked, and whether it takes anything. */
export type SmsProvider = { url: string; heard: { body: string; authorization: string }[]; down: boolean; close(): Promise<void> }

/** Starts a provider of short messages. */
export async function startSms(): Promise<SmsProvider> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      provider.heard.push({ body: Buffer.concat(parts).toString(), authorization: request.headers.authorization ?? '' })
      response.writeHead(provider.down ? 503 : 200).end('{"code":"OK"}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const provider: SmsProvider = { url: `http://127.0.0.1:${portOf(server.address())}/sms`, heard: [], down: false, close: () => new Promise(done => void server.close(() => done())) }
  return provider
}

/** A mail server on this machine and the mails it took. */
export type MailServer = { port: number; heard: { to: string[]; text: string }[]; close(): Promise<void> }

/** Starts a mail server that knows one account. */
export async function startMail(user: string, password: string): Promise<MailServer> {
  const heard: MailServer['heard'] = []
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (auth, _session, answer) => (auth.username === user && auth.password === password ? answer(null, { user }) : answer(new Error('refused'))),
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        heard.push({ to: session.envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(parts).toString() })
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return { port: portOf(listening.address()), heard, close: () => new Promise(done => void server.close(() => done())) }
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}
