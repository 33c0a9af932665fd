import { createTransport } from 'nodemailer'
import { z } from 'zod'
import { patience_ms } from './carrier.ts'
import type { Carrier } from './carrier.ts'

const Settings = z.object({ host: z.string().min(1), port: z.number().int().min(1).max(65_535), secure: z.boolean().default(true), user: z.string().default(''), from: z.string().min(3) })

/** E-mail by a mail server of the school. Without `secure` the connection still turns to TLS where the server offers it. */
export const smtp: Carrier = {
  adapter: 'smtp',
  isReady: ({ settings }) => Settings.safeParse(settings).success,
  hostOf: ({ settings }) => Settings.parse(settings).host,
  async send({ settings, secret }, { message_id, address, title, body }) {
    const { host, port, secure, user, from } = Settings.parse(settings)
    const transport = createTransport({
      host, port, secure,
      auth: user === '' ? undefined : { user, pass: secret },
      connectionTimeout: patience_ms, greetingTimeout: patience_ms, socketTimeout: patience_ms,
      disableFileAccess: true, disableUrlAccess: true,
    })
    const mail = { from, to: { name: '', address }, subject: title, text: body, headers: { 'x-message-id': message_id } }
    const { messageId } = await transport.sendMail(mail).catch(refuse).finally(() => transport.close())
    return { provider_id: messageId.slice(0, 120) }
  },
}

/** What a mail server says may hold the address: only the kind of failure is told. */
function refuse(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  throw new Error(`mail server: ${code}`)
}
